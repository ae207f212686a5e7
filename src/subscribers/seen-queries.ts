import { sql } from "kysely";
import type { Executor } from "../db/pool.ts";

/** SQL: the current day by the database's clock, UTC. */
export const today = sql.raw("(now() at time zone 'UTC')::date");

/**
 * The limits of the ranks, in days: readers seen within 7 days are notified first, then those within 30, then the
 * others.
 */
const daysOfRanks = [7, 30] as const;

/** The rank of readers who were not seen for long. They are notified last. */
export const lastRank = daysOfRanks.length;

/**
 * A subquery, which PostgreSQL computes once and not for each row. This saves a third of the time of planning a run.
 */
const notSeenSince = (days: number) => `(select (now() at time zone 'UTC')::date - ${days})`;

/** SQL: the rank of subscriber `s`, 0 for the most engaged. */
export const rankOfSubscriber = sql.raw(
  `(case ${daysOfRanks
    .map((days, rank) => `when s.seen_on > ${notSeenSince(days)} then ${rank}`)
    .join(" ")} else ${lastRank} end)::smallint`,
);

/** SQL condition: at least one reader of site `s` was seen recently enough to have a higher rank than others. */
export const tellsReadersApart = sql.raw(`s.readers_seen_on > ${notSeenSince(Math.max(...daysOfRanks))}`);

/**
 * Records that these recipients of runs clicked today, and so were seen today. `bits`: one bit for each position of
 * the batch, the first leftmost. Writes at most once a day for each reader. Skips a row that another statement is
 * writing, so that no statement waits. A day that is missed this way does not matter.
 */
export async function recordClicked(
  on: Executor,
  batches: { siteId: string; runId: string; no: number; bits: Buffer }[],
): Promise<void> {
  if (batches.length === 0) return;
  await sql`with batch as (
      select * from unnest(${batches.map((b) => b.siteId)}::uuid[], ${batches.map((b) => b.runId)}::uuid[],
        ${batches.map((b) => b.no)}::int[], ${batches.map((b) => b.bits.toString("hex"))}::text[])
        as batch (site_id, run_id, no, bits)),
    reader as (
      select distinct p.site_id, one.id
      from batch b join run_recipients p on p.site_id = b.site_id and p.run_id = b.run_id and p.no = b.no
        cross join lateral unnest(p.subscriber_ids) with ordinality as one (id, place)
      where get_bit(('x' || b.bits)::bit(1024), (one.place - 1)::int) = 1),
    seen as (
      select s.site_id, s.id from subscribers s join reader r on r.site_id = s.site_id and r.id = s.id
      where s.clicked_on is null or s.clicked_on < ${today}
      order by s.site_id, s.id for no key update of s skip locked),
    sites_seen as (
      update sites set readers_seen_on = ${today}
      where id in (select id from sites where id in (select site_id from seen)
        and (readers_seen_on is null or readers_seen_on < ${today}) order by id for no key update skip locked))
    update subscribers s set seen_on = ${today}, clicked_on = ${today}
    from seen where s.site_id = seen.site_id and s.id = seen.id`.execute(on);
}
