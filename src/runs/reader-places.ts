import { type RawBuilder, sql } from "kysely";

/**
 * SQL: the lists of recipients of a site that name a reader (site_id, run_id, no), and the reader's place in each (at),
 * from 0. The numbers in a list are sorted, with 0 in the place of an erased reader, so that the index
 * `recipients_by_number` finds the lists that may name the reader: 160 of 20,000 lists, in 12 ms instead of 1.2 s with
 * a million readers and 20 runs. Use it in a materialized expression: joined in another order, PostgreSQL would read
 * the lists of whole runs.
 */
export function placesOfReader(siteId: string, id: number | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select p.site_id, p.run_id, p.no, one.at from run_recipients p
      cross join lateral (select array_position(p.subscriber_ids, ${id}::bigint) - 1 as at) one
    where p.site_id = ${siteId} and p.subscriber_ids[1] <= ${id}
      and coalesce(nullif(p.subscriber_ids[cardinality(p.subscriber_ids)], 0), 9223372036854775807) >= ${id}
      and one.at is not null`;
}
