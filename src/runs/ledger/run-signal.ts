import { sql } from "kysely";
import { type Database, rows } from "../../db/pool.ts";
import { pauseHolds } from "../kinds.ts";
import type { RunRef } from "../queries.ts";

/**
 * The right of a worker to continue with a batch of a run. `fenced`: the batch has another owner now, and the old one
 * must not POST again.
 */
export type RunSignal = "go" | "paused" | "stop" | "fenced";

/** SQL: the signal of a run `r` with its site `s` and tenant `t`. A pause does not stop a test send. */
export const signalOfRun = sql`case
  when r.status <> 'sending' or s.removed_at is not null then 'stop'
  when ${pauseHolds("r")} and (s.paused_at is not null or t.paused_at is not null) then 'paused'
  else 'go' end`;

/**
 * Returns the signals of runs by run id, in one query, because each worker asks every 250 ms. A missing run means
 * `stop`.
 */
export async function signalsOfRuns(db: Database, runs: RunRef[]): Promise<Map<string, RunSignal>> {
  const signals = await rows(
    sql<{ runId: string; signal: RunSignal }>`select r.id as "runId", ${signalOfRun} as signal
      from unnest(${runs.map((run) => run.siteId)}::uuid[], ${runs.map((run) => run.runId)}::uuid[]) as open (site_id, id)
        join runs r on r.site_id = open.site_id and r.id = open.id
        join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id`,
    db,
  );
  return new Map(signals.map(({ runId, signal }) => [runId, signal]));
}
