import { sql } from "kysely";
import { expect, test } from "vitest";
import { row, rows } from "../../src/db/pool.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { changeRuns, passTime } from "../fixtures/rows/runs.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { start, subscriberIds } from "../runs/fixture.ts";
import { startDatabaseProxy } from "./database-proxy.ts";
import { endLeasesOf, type FaultFixture, whenSending } from "./fixture.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const recipients = 1_000;
/** The number of a wave's batches that are opened in one transaction (open-waves.ts). */
const part = 20;

const postgres = sharedPostgres();

test.each([
  { moment: "before commit" as const, parts: 1 },
  { moment: "after commit" as const, parts: 2 },
])("a process killed $moment of a wave's second part: each reader gets it once, on time", async ({ moment, parts }) => {
  const proxy = await startDatabaseProxy(postgres);
  // The first wave is answered late, so that the process is busy with it.
  await withFixture({ postgres, recipients, answerDelayMs: 1_000 }, async (fixture) => {
    const { app } = fixture;
    const { runId, small, large } = await planTwoWaves(fixture);
    const victim = await fixture.start("worker", { proxy });
    await whenSending(fixture, victim);
    const reached = proxy.reached(moment, /update run_batches b set state = 'ready'/, 2);
    // A minute more than three hours, so that no two waves are at one moment.
    await passTime(app, runId, 181);
    await reached;
    expect(victim.isAlive()).toBe(true);
    await victim.kill();
    await endLeasesOf(fixture, victim);
    expect(await waiting(fixture, runId)).toBe(large - parts * part);
    await fixture.start("worker");
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await wavesOf(fixture, runId)).toEqual([
      { readers: small, isReleased: true, accepted: small },
      { readers: recipients - small, isReleased: true, accepted: recipients - small },
    ]);
    const nudged = new Set((await fixture.evidence()).receipts.map(({ index }) => index));
    expect(nudged.size).toBe(recipients);
    expect(await fixture.violations()).toEqual([]);
  });
});

/**
 * Plans a run at the hour of the readers, in pages so small that the second zone's wave has many parts. Returns the
 * run's id, the readers of the first wave, and the batches of the second. The hour of the first wave has come, and the
 * second wave is three hours later.
 */
async function planTwoWaves({ app, publisher }: FaultFixture) {
  const { siteId } = publisher;
  const ids = await subscriberIds(app, siteId);
  const small = 100;
  await changeSubscribers(app, { id: ids.slice(0, small) }, { timeZone: "UTC" });
  await changeSubscribers(app, { id: ids.slice(small) }, { timeZone: "Etc/GMT+3" });
  const [date, time] = new Date().toISOString().split("T");
  const { runId } = await start(app, publisher, { localTime: { date: date!, time: time!.slice(0, 5) } });
  do await changeRuns(app, { id: runId, isPlanned: false }, { planFailures: 10 });
  while (await planNextPage(app.db));
  const all = await waiting({ app }, runId);
  const { n: ofSmall } = (await row(
    sql<{ n: number }>`select count(*) as n from run_batches b where run_id = ${runId}
      and wave_no = (select no from run_waves w where w.run_id = b.run_id order by opens_at limit 1)`,
    app.db,
  ))!;
  return { runId, small, large: all - ofSmall };
}

/** Returns how many batches of the run wait for their moment. */
async function waiting({ app }: Pick<FaultFixture, "app">, runId: string): Promise<number> {
  const waits = sql<{ n: number }>`select count(*) as n from run_batches
    where run_id = ${runId} and state = 'waiting'`;
  return (await row(waits, app.db))!.n;
}

function wavesOf({ app }: FaultFixture, runId: string) {
  return rows(
    sql<{
      readers: number;
      isReleased: boolean;
      accepted: number;
    }>`select readers, opened_at is not null as "isReleased",
        accepted
      from run_waves where run_id = ${runId} order by readers`,
    app.db,
  );
}
