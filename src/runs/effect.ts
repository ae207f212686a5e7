import { sql } from "kysely";

/**
 * SQL condition: a follow-up `table` counts. It is still running, or has reached somebody: one that was stopped or
 * expired before its first message leaves no trace.
 */
export const hasEffect = (table: "r" | "later") =>
  sql.raw(`(${table}.status in ('queued', 'sending') or exists (select from run_sums reached
    where reached.site_id = ${table}.site_id and reached.run_id = ${table}.id
      and reached.accepted + reached.unknown > 0))`);

/**
 * SQL condition: readers are told of a run `r` later, in a digest or in their list. A notification that was stopped is
 * not told again; a follow-up is if it has an effect.
 */
export const isTold = sql`case when r.sequence = 0 then r.status not in ('stopping', 'stopped') else ${hasEffect("r")} end`;
