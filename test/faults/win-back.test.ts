import { sql } from "kysely";
import { expect, test } from "vitest";
import { row } from "../../src/db/pool.ts";
import { winBackRuns, winBackWith } from "../campaigns/win-back-fixture.ts";
import { eventually } from "../fixtures/eventually.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSubscribers, passDays } from "../fixtures/rows/subscribers.ts";
import { startDatabaseProxy } from "./database-proxy.ts";
import { endLeasesOf, type FaultFixture } from "./fixture.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();
const recipients = 200;
const moments = ["before commit", "after commit"] as const;

/** Makes all readers stay away from a site that removes such readers. */
async function stayAway({ app, publisher, start }: FaultFixture): Promise<void> {
  await changeSubscribers(app, { siteId: publisher.siteId }, { createdAt: ago("90 days"), seenDaysAgo: 80 });
  await winBackWith(app, publisher, { afterwards: "remove" });
  await start("api");
}

/** Waits until the win-back has ended, and expects that it went to each reader once. */
async function expectOneRun(fixture: FaultFixture): Promise<void> {
  const [run, ...others] = await eventually(async () => {
    const found = await winBackRuns(fixture.app, fixture.publisher.siteId);
    return found.length > 0 && found;
  });
  expect(others).toEqual([]);
  expect(await fixture.ended(run!.runId)).toBe("completed");
  expect((await fixture.evidence()).receipts).toHaveLength(recipients);
  expect(await fixture.violations()).toEqual([]);
}

/** Starts a worker, stops it at a statement, and kills it there. */
async function killAt(fixture: FaultFixture, moment: (typeof moments)[number], statement: RegExp): Promise<void> {
  const proxy = await startDatabaseProxy(postgres);
  const reached = proxy.reached(moment, statement);
  const victim = await fixture.start("worker", { proxy });
  await reached;
  await victim.kill();
  await endLeasesOf(fixture, victim);
}

test.each(moments)("a process killed as it starts a win-back, %s: each reader gets it once", async (moment) => {
  await withFixture({ postgres, recipients }, async (fixture) => {
    await stayAway(fixture);
    await killAt(fixture, moment, /insert into runs/);
    await fixture.start("worker");
    await expectOneRun(fixture);
  });
});

test.each(moments)("a process killed as it notes who is to be removed, %s: each is removed once", async (moment) => {
  await withFixture({ postgres, recipients }, async (fixture) => {
    const { app, publisher } = fixture;
    const count = async (rowsOf: string) =>
      (await row(sql<{ n: number }>`select count(*) as n from ${sql.raw(rowsOf)}`, app.db))!.n;
    await stayAway(fixture);
    const first = await fixture.start("worker");
    await expectOneRun(fixture);
    await first.kill();
    await killAt(fixture, moment, /insert into lost_subscribers/);
    const second = await fixture.start("worker");
    await eventually(async () => (await count("win_backs where run_id is null")) === 1);
    expect(await count("lost_subscribers")).toBe(recipients);
    await second.kill();
    await passDays(app, publisher.siteId, 15);
    await fixture.start("worker");
    await eventually(async () => (await count("subscribers")) === 0);
    const left = sql`select sum(n)::int as n from subscribers_left where reason = 'not_seen'`;
    expect(await row(left, app.db)).toEqual({ n: recipients });
  });
});
