import { sql } from "kysely";

/**
 * SQL condition: a follow-up `table` counts, because it is still running or has reached somebody. A follow-up that was
 * stopped or expired before its first message leaves no trace.
 */
export const hasEffect = (table: "r" | "later") =>
  sql.raw(`(${table}.status in ('queued', 'sending') or exists (select from run_sums reached
    where reached.site_id = ${table}.site_id and reached.run_id = ${table}.id
      and reached.accepted + reached.unknown > 0))`);

/**
 * SQL condition: a digest or the reader's own list names the run `r`. Neither names a notification that was stopped.
 * Both name a follow-up that has an effect.
 */
export const isListed = sql`case when r.sequence = 0 then r.status not in ('stopping', 'stopped') else ${hasEffect("r")} end`;
