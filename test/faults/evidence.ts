import { sql } from "kysely";
import { type Database, rows } from "../../src/db/pool.ts";
import type { Evidence, History, PushReceipt, Reader, RunEvidence } from "./history.ts";

/** The sources of the evidence of a test. `readRun` returns the API's answer for a run. */
export type Sources = {
  db: Database;
  history: History;
  readers: Reader[];
  receipts: PushReceipt[];
  lagMs: number;
  readRun(run: { runId: string; siteId: string }): Promise<Record<string, unknown>>;
};

/** Reads every run of the database with all recipient codes, and adds what the push service and the callers saw. */
export async function gatherEvidence({ db, history, readers, receipts, lagMs, readRun }: Sources): Promise<Evidence> {
  const runs: RunEvidence[] = [];
  for (const run of await rows(sql<RunRow>`${selectRuns}`, db)) {
    const { recipients, sums } = joinBatches(await batchesOf(db, run.runId));
    runs.push({ ...run, recipients, sums, totals: await totalsOf(db, run.runId), shown: await readRun(run) });
  }
  const subscribed = new Set((await rows(sql<{ id: number }>`select id from subscribers`, db)).map(({ id }) => id));
  return { events: history.events, readers, receipts, runs, subscribed, lagMs };
}

type RunRow = Omit<RunEvidence, "recipients" | "sums" | "totals" | "shown">;

const selectRuns = sql`select r.id as "runId", r.campaign_id as "campaignId", r.site_id as "siteId", r.kind, r.status,
  r.finished_at is not null as finished, (extract(epoch from r.expires_at) * 1000)::float8 as "expiresAt",
  (extract(epoch from r.finished_at) * 1000)::float8 as "finishedAt",
  s.on_uncertain as "onUncertain", s.removed_at is not null as "siteRemoved"
  from runs r join sites s on s.id = r.site_id order by r.created_at`;

const counted = ["pending", "accepted", "gone", "failed", "expired", "notSent", "unknown", "repeated"] as const;

type BatchRow = Record<(typeof counted)[number], number> & { codes: Buffer; ids: number[] };

function batchesOf(db: Database, runId: string): Promise<BatchRow[]> {
  return rows(
    sql<BatchRow>`select b.*, b.not_sent as "notSent", p.subscriber_ids as ids from run_batches b
      join run_recipients p on p.site_id = b.site_id and p.run_id = b.run_id and p.no = b.no
      where b.run_id = ${runId} order by b.no`,
    db,
  );
}

function joinBatches(batches: BatchRow[]): Pick<RunEvidence, "recipients" | "sums"> {
  return {
    recipients: batches.flatMap(({ ids, codes }) => ids.map((subscriberId, i) => ({ subscriberId, code: codes[i]! }))),
    sums: Object.fromEntries(counted.map((name) => [name, batches.reduce((sum, batch) => sum + batch[name], 0)])),
  };
}

async function totalsOf(db: Database, runId: string): Promise<Map<number, number>> {
  const totals = await rows(
    sql<{
      code: number;
      n: number;
    }>`select code, sum(n)::bigint as n from run_totals where run_id = ${runId} group by code`,
    db,
  );
  return new Map(totals.map(({ code, n }) => [code, n]));
}
