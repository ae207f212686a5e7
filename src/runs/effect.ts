import { sql } from "kysely";

/**
 * SQL condition: a follow-up `table` counts, because it is still running or has reached somebody. A follow-up that
 * was stopped or expired before its first message does not count.
 */
export const hasEffect = (table: "r" | "later") =>
  sql.raw(`(${table}.status in ('queued', 'sending') or exists (select from run_sums reached
    where reached.site_id = ${table}.site_id and reached.run_id = ${table}.id
      and reached.accepted + reached.unknown > 0))`);

/**
 * SQL condition: digests and the reader's own list name the run `r`. They leave out a notification that was stopped.
 * They name a follow-up only if it has an effect.
 */
export const isListed = sql`case when r.sequence = 0 then r.status not in ('stopping', 'stopped') else ${hasEffect("r")} end`;
