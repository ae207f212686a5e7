import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import type { Subscriber } from "../subscribers/queries.ts";
import { isUncertain, reachedCodes } from "./ledger/codes.ts";
import type { RunRef } from "./queries.ts";
import { placesOfReader } from "./reader-places.ts";

/**
 * The state of the other row of a browser that registered twice. `has`: the browser has the message by the other row,
 * or may have it. `undecided`: an intent for the other row is committed. The next flush of its batch shows whether
 * its message was posted before the rows became one. If it was not, it never will be.
 */
export type OtherRow = "has" | "undecided";

/**
 * Returns the states of the other rows of readers whose browser registered again during the run. Both rows are in the
 * run's audience, and they are one reader now. A reader who is missing in the result may get the message. Locks the
 * other row's batch, and so waits for a worker that is committing an intent.
 */
export async function readOtherRows(
  on: Executor,
  { siteId, runId }: RunRef,
  readers: Pick<Subscriber, "id" | "mergedIds">[],
): Promise<Map<number, OtherRow>> {
  const pairs = readers.flatMap(({ id, mergedIds }) => mergedIds.map((merged) => ({ id, merged })));
  if (pairs.length === 0) return new Map();
  const found = await rows(
    sql<{ id: number; code: number }>`with place as materialized (
        select pair.id, p.no, p.at
        from unnest(${pairs.map(({ id }) => id)}::bigint[], ${pairs.map(({ merged }) => merged)}::bigint[]) as pair (id, merged)
          cross join lateral (${placesOfReader(siteId, sql`pair.merged`)}) p
        where p.run_id = ${runId})
      select place.id, get_byte(b.codes, place.at) as code
      from place join run_batches b on b.site_id = ${siteId} and b.run_id = ${runId} and b.no = place.no
      order by b.no for share of b`,
    on,
  );
  const idsWith = (is: (code: number) => boolean) => found.filter(({ code }) => is(code)).map(({ id }) => id);
  return new Map<number, OtherRow>([
    ...idsWith(isUncertain).map((id) => [id, "undecided"] as const),
    ...idsWith((code) => reachedCodes.includes(code)).map((id) => [id, "has"] as const),
  ]);
}
