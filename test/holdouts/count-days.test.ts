import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { countHoldoutDays, expireHoldoutDays } from "../../src/holdouts/count-days.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import type { CampaignClass } from "../../src/tenants/sites/campaign-classes.ts";
import { openTestApp } from "../fixtures/app.ts";
import { setClassRule } from "../fixtures/class-rules.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { insertHoldoutDay } from "../fixtures/rows/receipts.ts";
import { changeInTurn, changeSubscribers, insertSubscribers } from "../fixtures/rows/subscribers.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  publisher = await createPublisher(app);
});

const leaveOut = (holdoutPercent: number, ofClass?: CampaignClass, of = publisher) =>
  setClassRule(app, of, { holdoutPercent }, ofClass);

const count = () => runMaintenance(app.db, [countHoldoutDays]);

type Counted = Record<"heldReaders" | "readers" | "daysAgo" | "age", number> &
  Record<"heldCame" | "came", number | null> & { class: string };
const counted = (siteId = publisher.siteId) =>
  rows(
    sql<Counted>`select class, held_readers as "heldReaders", held_came as "heldCame", other_readers as readers,
        other_came as came, (now() at time zone 'UTC')::date - day as "daysAgo", day - starts_on as age
      from holdout_days where site_id = ${siteId} order by class, starts_on, day`,
    app.db,
  );

/** Returns the day (UTC) that was `days` days ago by the database's clock. */
async function dayAgo(days: number): Promise<string> {
  const day = sql`now() at time zone 'UTC' - make_interval(days => ${days})`;
  return (await row(sql<{ day: string }>`select to_char(${day}, 'YYYY-MM-DD') as day`, app.db))!.day;
}

const nobody = { readers: 0, came: 0 };

test("yesterday is counted once: who is still subscribed, and who came", async () => {
  const { siteId } = publisher;
  await insertSubscribers(app, siteId, 400, { createdAt: ago("200 days") });
  await changeInTurn(app, siteId, [{ seenDaysAgo: 1 }, { seenDaysAgo: 2 }, { seenDaysAgo: null }, { seenDaysAgo: 0 }]);
  await insertSubscribers(app, siteId, 50);
  await leaveOut(10);
  await insertHoldoutDay(app, siteId, {
    startsOn: await dayAgo(2),
    percent: 10,
    age: 0,
    heldOut: nobody,
    others: nobody,
  });
  await count();
  const day = (await counted()).find(({ daysAgo }) => daysAgo === 1);
  expect(day).toMatchObject({ class: "normal" });
  expect(day!.heldReaders).toBeGreaterThan(15);
  expect(day!.heldReaders + day!.readers).toBe(400);
  expect(day!.heldCame! + day!.came!).toBe(200);
  await changeSubscribers(app, { siteId }, { seenDaysAgo: 1 });
  await count();
  expect((await counted()).filter(({ daysAgo }) => daysAgo === 1)).toEqual([day]);
});

test("the day before a share was set or changed tells who is subscribed, and no visits", async () => {
  const { siteId } = publisher;
  await insertSubscribers(app, siteId, 20, { createdAt: ago("200 days") });
  await changeSubscribers(app, { siteId }, { seenDaysAgo: 1 });
  await leaveOut(2);
  await insertHoldoutDay(app, siteId, {
    startsOn: await dayAgo(2),
    percent: 1,
    age: 0,
    heldOut: nobody,
    others: nobody,
  });
  await count();
  const day = (await counted()).find(({ daysAgo }) => daysAgo === 1);
  expect(day!.heldReaders + day!.readers).toBe(20);
  expect([day!.heldCame, day!.came]).toEqual([null, null]);
});

test("test devices, readers that cannot be reached and sites without a share are not counted", async () => {
  const { siteId } = publisher;
  const ids = await insertSubscribers(app, siteId, 10, { createdAt: ago("200 days") });
  await changeSubscribers(app, { id: ids[0]! }, { isTest: true });
  await changeSubscribers(app, { id: ids[1]! }, { refusedRuns: 3 });
  const other = await createPublisher(app);
  await insertSubscribers(app, other.siteId, 10, { createdAt: ago("200 days") });
  await leaveOut(1, "low");
  await leaveOut(0, "normal", other);
  await count();
  const [day] = await counted();
  expect(day!.heldReaders + day!.readers).toBe(8);
  expect(await counted(other.siteId)).toEqual([]);
});

test("a period is counted for a week after its end, though its class leaves out nobody any more", async () => {
  const { siteId } = publisher;
  await insertSubscribers(app, siteId, 10, { createdAt: ago("200 days") });
  const startsAgo = async (days: number, ofClass: CampaignClass) => {
    const startsOn = await dayAgo(days);
    await insertHoldoutDay(app, siteId, { class: ofClass, startsOn, age: 27, heldOut: nobody, others: nobody });
  };
  await startsAgo(35, "breaking");
  await startsAgo(36, "normal");
  await count();
  expect((await counted()).map(({ class: of, age }) => `${of} ${age}`)).toEqual([
    "breaking 27",
    "breaking 34",
    "normal 27",
  ]);
});

test("counts expire after 400 days", async () => {
  for (const startsOn of ["2024-01-01", "2025-12-29"])
    await insertHoldoutDay(app, publisher.siteId, { startsOn, age: 0, heldOut: nobody, others: nobody });
  await insertHoldoutDay(app, publisher.siteId, { age: 0, heldOut: nobody, others: nobody });
  await runMaintenance(app.db, [expireHoldoutDays]);
  expect((await counted()).map(({ daysAgo }) => daysAgo < 400)).not.toContain(false);
  expect((await counted()).map(({ daysAgo }) => daysAgo)).toContain(56);
});
