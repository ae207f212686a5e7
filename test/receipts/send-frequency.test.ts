import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Tx } from "../../src/db/pool.ts";
import { daysOfSite, type FrequencyDay, sendFrequencyOf } from "../../src/receipts/send-frequency.ts";
import { randomFrom } from "../faults/random.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { addReceipts, insertLeft } from "../fixtures/rows/receipts.ts";
import { changeRuns, insertTotals } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { start } from "../runs/fixture.ts";

const today = Date.UTC(2026, 9, 31);
const dayOf = (age: number) => new Date(today - age * 86_400_000).toISOString().slice(0, 10);

/** Returns a day on which each of 1,000 readers got `nudges` notifications. */
function aDay(age: number, nudges: number, of: Partial<FrequencyDay> = {}): FrequencyDay {
  const sums = { accepted: 1_000 * nudges, readers: 1_000, displayed: 800 * nudges, clicked: 20 * nudges };
  const clicked = of.clicked ?? sums.clicked;
  const kept = { left: 1, expired: 0, isWhole: true };
  return { day: dayOf(age), age, nudges, ...sums, ...kept, clickedReporting: clicked, ...of };
}

/** Returns twelve weeks of days. In every other week, each day has three notifications instead of one. */
const twelveWeeks = (of: (nudges: number, age: number) => Partial<FrequencyDay>) =>
  Array.from({ length: 84 }, (_, age) => {
    const nudges = Math.floor(age / 7) % 2 === 0 ? 1 : 3;
    return aDay(age, nudges, of(nudges, age));
  });

describe("the advice", () => {
  const says = (of: (nudges: number, age: number) => Partial<FrequencyDay>) =>
    sendFrequencyOf(twelveWeeks(of)).advice.says;
  /** Makes days differ a little, so that there is randomness to check against. */
  const about = (n: number, age: number) => n + (age % 5) - 2;

  test("is to send more where it brings clicks and loses no readers", () => {
    expect(sendFrequencyOf(twelveWeeks((nudges, age) => ({ clicked: about(20 * nudges, age) }))).advice).toEqual({
      says: "send_more",
      nudges: 1,
      clicked: { fewer: expect.closeTo(20, 0), more: expect.closeTo(60, 0) },
      left: { fewer: 1, more: 1 },
    });
  });

  test("is to weigh clicks against readers where more notifications bring more and lose more", () => {
    expect(says((nudges, age) => ({ clicked: about(20 * nudges, age), left: about(5 * nudges, age) }))).toBe(
      "trade_off",
    );
  });

  test("is to send fewer where more notifications bring no more clicks, and fewer of those shown", () => {
    expect(says((_, age) => ({ clicked: about(20, age) }))).toBe("send_fewer");
  });

  test("is to send fewer where more notifications only lose readers", () => {
    const evenly = (nudges: number, age: number) => ({ displayed: 800, clicked: about(20, age), left: 5 * nudges });
    expect(says((nudges, age) => ({ ...evenly(nudges, age), left: about(5 * nudges, age) }))).toBe("send_fewer");
  });

  test("does not count readers who expired against the days with more notifications", () => {
    const evenly = (nudges: number, age: number) => ({ displayed: 800, clicked: about(20, age), expired: 5 * nudges });
    expect(says((nudges, age) => ({ ...evenly(nudges, age), left: 5 * nudges + about(5, age) }))).toBe("no_difference");
  });

  test("waits for seven days of few notifications and seven of more, with reports in", () => {
    const few = (much: number) => [
      ...Array.from({ length: 14 }, (_, n) => aDay(10 + n, 1)),
      ...Array.from({ length: much }, (_, n) => aDay(30 + n, 2)),
    ];
    const waits = { says: "too_few_days", days: 7 };
    expect(sendFrequencyOf([]).advice).toEqual(waits);
    expect(sendFrequencyOf(few(6)).advice).toEqual(waits);
    expect(sendFrequencyOf(few(7)).advice).not.toEqual(waits);
    expect(sendFrequencyOf([...few(6), aDay(1, 2)]).advice).toEqual(waits);
    expect(sendFrequencyOf([...few(6), aDay(40, 2, { isWhole: false })]).advice).toEqual(waits);
  });

  test("follows from chance at fewer than one site in twenty", () => {
    const random = randomFrom(7);
    /** Returns the sum of twelve uniform numbers, which is nearly normal by the central limit theorem. */
    const normal = () => Array.from({ length: 12 }, () => random.unit()).reduce((sum, n) => sum + n, -6);
    const sites = 1_000;
    let advised = 0;
    for (let site = 0; site < sites; site++) {
      const noise = () => ({ displayed: 800, clicked: 20 + 5 * normal(), left: 2 + normal() });
      const many = 7 + (site % 40);
      const days = Array.from({ length: 80 }, (_, age) => aDay(age + 2, age % 80 < many ? 3 : 1, noise()));
      if (sendFrequencyOf(days).advice.says !== "no_difference") advised++;
    }
    expect(advised / sites).toBeLessThan(0.05);
  });
});

test("weeks end with today, and notifications a day are those of a reader, five and more as one", () => {
  const days = [
    aDay(0, 1, { clicked: 3 }),
    aDay(6, 2, { clicked: 4 }),
    aDay(7, 6, { nudges: 8 }),
    aDay(8, 5),
    aDay(60, 1),
  ];
  const { weeks, fatigue } = sendFrequencyOf(days);
  expect(weeks).toEqual([
    { from: dayOf(6), to: dayOf(0), nudges: 3, clicked: 7, left: 2 },
    { from: dayOf(13), to: dayOf(7), nudges: 13, clicked: 220, left: 2 },
  ]);
  expect(fatigue).toEqual([
    { nudges: 1, days: 1, clickedOfShown: 0.025, clicked: 20, left: 1 },
    { nudges: 2, days: 1, clickedOfShown: 4 / 1_600, clicked: 4, left: 1 },
    { nudges: 5, days: 2, clickedOfShown: 0.025, clicked: 110, left: 1 },
  ]);
});

test("a site's days are by its clocks and live runs: accepted, displayed, clicked, left", async () => {
  const app = await openTestApp();
  const [publisher, other] = [await createPublisher(app), await createPublisher(app)];
  const zone = "Pacific/Auckland";
  const add = async (tx: Tx, of: typeof publisher, local: string, kind: "live" | "test" = "live") => {
    const { runId } = await start(app, of, { kind });
    await changeRuns(
      { db: tx },
      { id: runId },
      { createdAt: sql`((now() at time zone ${zone})::date + ${local}::interval) at time zone ${zone}` },
    );
    await insertTotals({ db: tx }, runId, { fcm: { accepted: 90, gone: 3 }, wns: { accepted: 10 } });
    await addReceipts({ db: tx }, runId, { displayed: 20, clicked: 4, unsubscribed: 1 }, ago("1 hour"), ago("2 hours"));
    return runId;
  };
  // All statements of a transaction have the same moment, so no day begins between them.
  const days = await app.db.transaction().execute(async (tx) => {
    await add(tx, publisher, "-3 days 0 hours");
    const clicksOnly = await add(tx, publisher, "-3 days 23 hours 59 minutes");
    await add(tx, publisher, "-9 days");
    await add(tx, publisher, "-3 days", "test");
    await add(tx, publisher, "-84 days -1 hour");
    await add(tx, other, "-3 days");
    await changeSites({ db: tx }, { id: publisher.siteId }, { timeZone: zone });
    await insertLeft({ db: tx }, publisher.siteId, 3, { unsubscribed: 2, expired: 3, gone: 5, deleted: 9 });
    await insertLeft({ db: tx }, publisher.siteId, 4, { gone: 7 });
    await insertLeft({ db: tx }, publisher.siteId, 9, { gone: 5 });
    await insertLeft({ db: tx }, publisher.siteId, 84, { gone: 5 });
    await changeRuns({ db: tx }, { id: clicksOnly }, { receipts: "aggregate" });
    return daysOfSite(tx, publisher.siteId, zone);
  });
  const one = { accepted: 100, readers: 100, displayed: 40, clicked: 8, left: 5 };
  const nothingSent = {
    age: 4,
    nudges: 0,
    accepted: 0,
    readers: 100,
    displayed: 0,
    clicked: 0,
    left: 7,
    isWhole: true,
  };
  expect(days).toMatchObject([
    {
      age: 3,
      nudges: 2,
      accepted: 200,
      readers: 100,
      displayed: 80,
      clicked: 16,
      left: 10,
      expired: 3,
      isWhole: false,
    },
    nothingSent,
    { age: 9, nudges: 1, ...one, isWhole: true },
  ]);
});

test("a local-time delivery is of the day of that time at the site, and of none before", async () => {
  const app = await openTestApp();
  const publisher = await createPublisher(app);
  const zone = "Pacific/Auckland";
  const add = async (tx: Tx, began: string, nudged: string) => {
    const { runId } = await start(app, publisher);
    const at = (local: string) => sql`((now() at time zone ${zone})::date + ${local}::interval) at time zone ${zone}`;
    await changeRuns({ db: tx }, { id: runId }, { beganAt: at(began), nudgedAt: at(nudged) });
  };
  const days = await app.db.transaction().execute(async (tx) => {
    await add(tx, "-4 days 17 hours", "-3 days 7 hours");
    await add(tx, "-84 days 12 hours", "-83 days 7 hours");
    await add(tx, "0 hours", "1 day 1 hour");
    return daysOfSite(tx, publisher.siteId, zone);
  });
  expect(days).toMatchObject([
    { age: 3, nudges: 1 },
    { age: 83, nudges: 1 },
  ]);
});
