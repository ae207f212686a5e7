import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { encodeCodeCounts } from "../../src/runs/ledger/code-counts.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { planNextPageIn } from "../../src/runs/plan/plan-run.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { addBatches, recipientsOf, splitBatches, start, startPlanned, subscriberIds } from "./fixture.ts";

/** Runs to the readers of an earlier run: corrections and updates of a nudge to a segment. */
const readers = 60;

let app: App;
let publisher: Publisher;
let first: RunRef;

beforeAll(async () => {
  app = await openTestApp();
  const other = await createPublisher(app);
  await addBatches(app, await start(app, other), 1_000_000);
  await sql`update runs set status = 'completed', finished_at = now()`.execute(app.db);
});

/** A run whose recipients are in one list each, and 20 readers who came later. */
beforeEach(async () => {
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(readers));
  first = await startPlanned(app, publisher);
  await splitBatches(app, first);
  await sql`update run_batches set codes = decode(repeat(to_hex(${finalCode.accepted}::int), size), 'hex'), accepted = size,
    pending = 0, state = 'done', code_counts = decode(to_hex(${finalCode.accepted}::int) || lpad(to_hex(size::int), 4, '0'), 'hex') where run_id = ${first.runId}`.execute(
    app.db,
  );
  await sql`analyze run_recipients, run_batches`.execute(app.db);
  await sql`update runs set status = 'completed', finished_at = now() where id = ${first.runId}`.execute(app.db);
  await subscribe(app, publisher.siteId, createSubscriptions(20));
});

const startCorrection = () =>
  start(app, publisher, { corrects: { runId: first.runId, sequence: 1, outcomes: [finalCode.accepted] } });

/** Plans the run in the smallest pages that there are. Returns how many lists each has read of all that are stored. */
async function planInSmallPages({ runId }: RunRef): Promise<number[]> {
  const read: number[] = [];
  for (let hasMore = true; hasMore; ) {
    await sql`update runs set plan_failures = 10 where id = ${runId} and planned_at is null`.execute(app.db);
    const lists = await countRowsRead(app, "run_recipients", async (tx) => {
      hasMore = await planNextPageIn(tx);
    });
    if (hasMore) read.push(lists);
  }
  return read;
}

test("the plan of a correction reads each list of its readers once, however many pages it has", async () => {
  const read = await planInSmallPages(await startCorrection());
  expect(read).toEqual([1, 20, 20, 19]);
});

test("a correction goes to each reader of the earlier run once, without those who have left, and to no later one", async () => {
  const ids = await subscriberIds(app, publisher.siteId);
  const left = [ids[0]!, ids[30]!, ids[59]!];
  await sql`delete from subscribers where id = any(${left}::bigint[])`.execute(app.db);
  const correction = await startCorrection();
  await planInSmallPages(correction);
  const planned = (await recipientsOf(app, correction)).flat();
  expect(planned.toSorted((a, b) => a - b)).toEqual(ids.slice(0, readers).filter((id) => !left.includes(id)));
});

test("recipients whom the earlier run did not reach are not among them", async () => {
  const ids = await subscriberIds(app, publisher.siteId);
  const suppressed = [ids[3]!, ids[40]!];
  await sql`update run_batches b set codes = ${Buffer.from([finalCode.muted])}, not_sent = 1, accepted = 0,
      code_counts = ${encodeCodeCounts(Buffer.from([finalCode.muted]))}
    from run_recipients r where r.site_id = b.site_id and r.run_id = b.run_id and r.no = b.no
      and b.run_id = ${first.runId} and r.subscriber_ids && ${suppressed}::bigint[]`.execute(app.db);
  const correction = await startCorrection();
  const read = await planInSmallPages(correction);
  const planned = (await recipientsOf(app, correction)).flat();
  expect(planned.toSorted((a, b) => a - b)).toEqual(ids.slice(0, readers).filter((id) => !suppressed.includes(id)));
  expect(read.reduce((sum, n) => sum + n, 0)).toBe(readers);
});
