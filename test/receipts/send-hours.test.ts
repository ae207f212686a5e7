import { sql } from "kysely";
import { expect, test } from "vitest";
import { type HourOfSend, sendHoursOf, sendsByHour } from "../../src/receipts/send-hours.ts";
import { randomFrom } from "../faults/random.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { addReceipts } from "../fixtures/rows/receipts.ts";
import { changeRuns, insertTotals } from "../fixtures/rows/runs.ts";
import { start } from "../runs/fixture.ts";

/** Returns `count` notifications at an hour. About `percent` percent of each were clicked. */
const sends = (hour: number, count: number, percent: number): HourOfSend[] =>
  Array.from({ length: count }, (_, n) => ({ hour, accepted: 1_000, clicked: 10 * percent + (n % 3) - 1 }));

test("hours with most clicks come first, and one with few sends is drawn towards the mean", () => {
  const { hours, nudges, isClear } = sendHoursOf([
    ...sends(7, 12, 4),
    ...sends(12, 12, 2),
    ...sends(20, 12, 3),
    ...sends(23, 3, 5),
    ...sends(3, 2, 9),
  ]);
  expect(nudges).toBe(41);
  expect(hours.map(({ hour, nudges: n }) => [hour, n])).toEqual([
    [23, 3],
    [7, 12],
    [20, 12],
  ]);
  expect(hours[0]!.clicked).toBeCloseTo(0.04, 2);
  expect(isClear).toBe(false);
  expect(sendHoursOf([...sends(7, 12, 4), ...sends(12, 12, 2)])).toMatchObject({ isClear: true });
});

test("with fewer than twenty notifications, or only at one hour, nothing is said", () => {
  expect(sendHoursOf([])).toEqual({ nudges: 0, needed: 20, hours: [], isClear: false });
  expect(sendHoursOf([...sends(7, 10, 4), ...sends(12, 9, 2)]).hours).toEqual([]);
  expect(sendHoursOf(sends(7, 40, 4)).hours).toEqual([]);
});

test("an hour is called clearly better by chance at fewer than one site in twenty", () => {
  const random = randomFrom(11);
  const clear = Array.from({ length: 1_000 }, (_, site) => {
    const nudges = Array.from({ length: 24 + (site % 200) }, () => {
      const clicked = 20 * Math.exp(2 * (random.unit() + random.unit() + random.unit() - 1.5));
      return { hour: random.between(6, 6 + (site % 17)), accepted: 1_000, clicked };
    });
    return sendHoursOf(nudges).isClear;
  });
  expect(clear.filter(Boolean).length / clear.length).toBeLessThan(0.05);
});

test("sends are live runs to no segment, by the site's clocks, 1 day to 12 weeks old", async () => {
  const app = await openTestApp();
  const [publisher, other] = [await createPublisher(app), await createPublisher(app)];
  const zone = "Asia/Kolkata";
  const add = async (of: typeof publisher, before: string, kind: "live" | "test" = "live") => {
    const { runId } = await start(app, of, { kind });
    await changeRuns(
      app,
      { id: runId },
      {
        status: "completed",
        createdAt: sql`date_trunc('day', now(), ${zone}) + interval '7 hours 59 minutes' - ${before}::interval`,
      },
    );
    await insertTotals(app, runId, { fcm: { accepted: 90 } });
    await addReceipts(app, runId, { displayed: 20, clicked: 4 }, ago("1 hour"), ago("2 hours"));
    return runId;
  };
  await add(publisher, "2 days");
  await add(publisher, "80 days 1 hour");
  await add(publisher, "0 days");
  await add(publisher, "86 days");
  await add(publisher, "2 days", "test");
  await add(other, "2 days");
  const toSegment = await add(publisher, "2 days 2 hours");
  await changeRuns(app, { id: toSegment }, { segment: { push: ["fcm"] } });
  const found = await sendsByHour(app.db, publisher.siteId, zone);
  expect(found.toSorted((a, b) => b.hour - a.hour)).toEqual([
    { hour: 7, accepted: 90, clicked: 8 },
    { hour: 6, accepted: 90, clicked: 8 },
  ]);
});
