import { type RawBuilder, sql } from "kysely";
import type { RunRef } from "../queries.ts";

/** The wave of the readers who take no part in a headline test and get the chosen variant. */
export const restWave = 1;

/**
 * Returns SQL: the variant that the subscriber `s` gets in a run; null if the subscriber takes no part. It comes from
 * a hash of run and subscriber, so that the answer is always the same. `share`: the percentage of the recipients who
 * take part.
 */
export function variantOfSubscriber(
  { runId }: Pick<RunRef, "runId">,
  { variants, share }: { variants: number; share: number },
): RawBuilder<unknown> {
  const hash = sql`(hashint8extended(s.id, hashtextextended(${runId}::text, 0)) & 9223372036854775807)`;
  return sql`case when ${hash} % 100 < ${share}::int then ((${hash} / 100) % ${variants}::int)::smallint end`;
}
