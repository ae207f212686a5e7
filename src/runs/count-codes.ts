import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import type { RunRef } from "./queries.ts";
import type { RunTotals } from "./run.ts";

/** How many batches' codes are read at a time: 200 KB. */
const batchesPerPage = 200;

type CountedBatch = { no: number; lane: string; codes: Buffer; repeated: number };

/**
 * Counts how often each code occurs in a run's batches, by lane, and how many messages were repeated. Ten million
 * recipients take a second; with `but: "accepted"` it reads only batches that have other outcomes too, so that it can be
 * called while the run is open.
 */
export async function countCodesOfRun(on: Executor, run: RunRef, but?: "accepted"): Promise<RunTotals> {
  let repeated = 0;
  const byLane = new Map<string, number[]>();
  for (let after = 0; ; ) {
    const page = await rows(
      sql<CountedBatch>`select no, lane, codes, repeated from run_batches
        where site_id = ${run.siteId} and run_id = ${run.runId} and no > ${after}
          and (${but === undefined} or gone + failed + expired + not_sent + unknown > 0)
        order by no limit ${batchesPerPage}`,
      on,
    );
    for (const batch of page) {
      const counts = byLane.get(batch.lane) ?? new Array<number>(256).fill(0);
      for (const code of batch.codes) counts[code]!++;
      byLane.set(batch.lane, counts);
      repeated += batch.repeated;
    }
    if (page.length < batchesPerPage) break;
    after = page.at(-1)!.no;
  }
  const codes = [...byLane].flatMap(([lane, counts]) =>
    counts.flatMap((n, code) => (n === 0 ? [] : [{ lane, code, n }])),
  );
  return { codes, repeated };
}
