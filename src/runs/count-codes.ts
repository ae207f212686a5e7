import { sql } from "kysely";
import { type Executor, rows } from "../db/database.ts";
import type { RunRef } from "./queries.ts";
import type { CodeCount } from "./run.ts";

/** How many batches' codes are read at a time: 200 KB. */
const batchesPerPage = 200;

/**
 * How often each code stands in a run's batches, by lane. Ten million recipients take a second; with `but: "accepted"`
 * only the batches are read that have another end than acceptance, so that it may be asked while the run goes on.
 */
export async function countCodesOfRun(on: Executor, run: RunRef, but?: "accepted"): Promise<CodeCount[]> {
  const byLane = new Map<string, number[]>();
  for (let after = 0; ; ) {
    const page = await rows(
      sql<{ no: number; lane: string; codes: Buffer }>`select no, lane, codes from run_batches
        where site_id = ${run.siteId} and run_id = ${run.runId} and no > ${after}
          and (${but === undefined} or gone + failed + expired + not_sent + unknown > 0)
        order by no limit ${batchesPerPage}`,
      on,
    );
    for (const { lane, codes } of page) {
      const counts = byLane.get(lane) ?? new Array<number>(256).fill(0);
      for (const code of codes) counts[code]!++;
      byLane.set(lane, counts);
    }
    if (page.length < batchesPerPage) break;
    after = page.at(-1)!.no;
  }
  return [...byLane].flatMap(([lane, counts]) => counts.flatMap((n, code) => (n === 0 ? [] : [{ lane, code, n }])));
}
