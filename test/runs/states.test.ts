import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { campaignMoves } from "../../src/campaigns/states.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { moveRun } from "../../src/runs/queries.ts";
import { type RunStatus, runMoves } from "../../src/runs/states.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { batchesOf, start, startPlanned } from "./fixture.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(3));
});

/** Creates a run with `status`. A new row may have any status, because only moves are checked. */
async function runIn(status: RunStatus): Promise<RunRef> {
  const run = await start(app, publisher);
  await sql`alter table runs disable trigger run_moves`.execute(app.db);
  await sql`update runs set status = ${status}, stop_requested_at = now(),
    finished_at = case when ${runMoves[status].length === 0} then now() end where id = ${run.runId}`.execute(app.db);
  await sql`alter table runs enable trigger run_moves`.execute(app.db);
  return run;
}

/** Returns whether the database itself allows `update`, whatever the code would say. */
async function isAllowed(update: { execute(db: App["db"]): Promise<unknown> }): Promise<boolean> {
  try {
    await update.execute(app.db);
    return true;
  } catch (error) {
    expect((error as { code: string }).code).toBe("23514");
    expect((error as Error).message).toMatch(/may not move from/);
    return false;
  }
}

describe("the tables of moves", () => {
  test("a run moves by the pairs of its table and by no other", async () => {
    const states = Object.keys(runMoves) as RunStatus[];
    for (const from of states) {
      for (const to of states) {
        const run = await runIn(from);
        const finishes = runMoves[to].length === 0;
        const update = sql`update runs set status = ${to}, finished_at = case when ${finishes} then now() end
          where id = ${run.runId}`;
        const expected = from === to || (runMoves[from] as readonly string[]).includes(to);
        expect([from, to, await isAllowed(update)]).toEqual([from, to, expected]);
      }
    }
  });

  test("moveRun makes the moves of the table and answers false to the others", async () => {
    const states = Object.keys(runMoves) as RunStatus[];
    for (const from of states) {
      for (const to of states) {
        const run = await runIn(from);
        const expected = (runMoves[from] as readonly string[]).includes(to);
        expect([from, to, await moveRun(app.db, run, to)]).toEqual([from, to, expected]);
      }
    }
  });

  test("a campaign moves by the pairs of its table and by no other", async () => {
    const states = Object.keys(campaignMoves);
    for (const from of states) {
      for (const to of states) {
        const { runId } = await start(app, publisher);
        const set = (status: string) => sql`update campaigns set status = ${status},
          failure = case when ${status} = 'failed' then '{}'::jsonb end
          where id = (select campaign_id from runs where id = ${runId})`;
        await sql`alter table campaigns disable trigger campaign_moves`.execute(app.db);
        await set(from).execute(app.db);
        await sql`alter table campaigns enable trigger campaign_moves`.execute(app.db);
        const allowed = campaignMoves[from as keyof typeof campaignMoves] as readonly string[];
        expect([from, to, await isAllowed(set(to))]).toEqual([from, to, from === to || allowed.includes(to)]);
      }
    }
  });
});

describe("the promises that the database holds", () => {
  test("a second live run of one campaign is refused, a test run is not", async () => {
    const run = await start(app, publisher);
    const again = (
      kind: string,
    ) => sql`insert into runs (site_id, id, tenant_id, campaign_id, kind, priority, thread_id, audience,
        ttl_seconds, urgency, expires_at, expected_audience)
      select site_id, again.id, tenant_id, campaign_id, ${kind}, case ${kind} when 'test' then 1 else 0 end,
        again.id, audience, ttl_seconds, urgency, expires_at, 0
      from runs, (select gen_random_uuid() as id) again where runs.id = ${run.runId}`;
    await expect(again("live").execute(app.db)).rejects.toThrow(/one_live_run_a_campaign/);
    await again("test").execute(app.db);
  });

  test("a batch whose counts do not add up, or whose codes are too few, is refused", async () => {
    const run = await startPlanned(app, publisher);
    const [batch] = await batchesOf(app, run);
    expect(batch).toMatchObject({ size: 3, pending: 3, state: "ready" });
    const wrong = [
      sql`pending = pending - 1`,
      sql`accepted = 1`,
      sql`pending = 4, accepted = -1`,
      sql`codes = '\\x0000'`,
      sql`state = 'done'`,
      sql`state = 'open'`,
      sql`state = 'open', owner = 'somebody'`,
      sql`owner = 'somebody', lease_until = now()`,
      sql`state = 'delayed'`,
      sql`repeated = -1`,
      sql`size = 1001`,
    ];
    for (const change of wrong) {
      const update = sql`update run_batches set ${change} where run_id = ${run.runId}`;
      await expect(update.execute(app.db)).rejects.toMatchObject({ code: "23514" });
    }
  });
});
