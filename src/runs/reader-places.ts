import { type RawBuilder, sql } from "kysely";

/**
 * SQL: the lists of recipients of a site that name a reader (site_id, run_id, no), and the reader's position in each
 * (at), from 0. The numbers in a list are sorted, with 0 in place of an erased reader. The index
 * `recipients_by_number` therefore finds the lists that may name the reader. With a million readers and 20 runs these
 * are 160 of 20,000 lists, which takes 12 ms instead of 1.2 s. Use it in a materialized expression. If PostgreSQL
 * joins in another order, it reads the lists of whole runs.
 */
export function placesOfReader(siteId: string, id: number | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select p.site_id, p.run_id, p.no, one.at from run_recipients p
      cross join lateral (select array_position(p.subscriber_ids, ${id}::bigint) - 1 as at) one
    where p.site_id = ${siteId} and p.subscriber_ids[1] <= ${id}
      and coalesce(nullif(p.subscriber_ids[cardinality(p.subscriber_ids)], 0), 9223372036854775807) >= ${id}
      and one.at is not null`;
}
