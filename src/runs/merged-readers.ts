import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import type { Subscriber } from "../subscribers/queries.ts";
import { isUncertain, reachedCodes } from "./ledger/codes.ts";
import type { RunRef } from "./queries.ts";
import { placesOfReader } from "./reader-places.ts";

/**
 * `has`: the browser has, or may have, the message by another row. `undecided`: an intent for the other row is
 * committed. It was posted to before the rows became one, or is not posted to any more: its next flush says which.
 */
export type OtherRow = "has" | "undecided";

/**
 * Returns what is known of the other rows of those readers whose browser registered again during the run, where both
 * rows, which are one now, are in its audience; of a reader that is not in it the message may be posted. The other
 * row's batch is locked: a worker that is just committing an intent is waited for.
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
