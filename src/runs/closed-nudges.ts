import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../db/pool.ts";
import { finalCode } from "./codes.ts";
import { isOpenRun } from "./queries.ts";
import { receiptKinds } from "./receipt-kinds.ts";

/** The lane of Safari, which shows a push with the tag of a shown one beside it. */
const laneWithoutReplacing = "apple";

type UpdateRun = { siteId: string; runId: string; campaignId: string | null };

/**
 * SQL condition: the run in `runs` is an update, and the one before it has not ended. Its last messages could arrive later,
 * and a push service keeps the last one that it gets.
 */
export const waitsForUpdate = sql`(kind = 'update' and exists (select from runs earlier
  where earlier.site_id = runs.site_id and earlier.campaign_id = runs.campaign_id and earlier.kind = 'update'
    and earlier.id < runs.id and ${isOpenRun("earlier")}))`;

/**
 * Notes the readers who have closed or opened a nudge, from the receipts of its run and of its last two updates: a later
 * report on an older one is of a browser that had not had the newer. Linear in the batches of those runs.
 */
export async function noteClosed(tx: Tx, { siteId, runId, campaignId }: UpdateRun): Promise<void> {
  await sql`with live as (
      select id from runs where site_id = ${siteId} and campaign_id = ${campaignId} and kind = 'live'),
    seen as (
      select id from live union all (
        select id from runs where site_id = ${siteId} and campaign_id = ${campaignId} and kind = 'update' and id < ${runId}
        order by id desc limit 2))
    insert into closed_nudges (site_id, run_id, subscriber_id)
    select distinct ${siteId}::uuid, live.id, s.id
    from live, seen join receipt_bits b on b.site_id = ${siteId} and b.run_id = seen.id
        and b.kind in (${receiptKinds.clicked}, ${receiptKinds.dismissed})
      join run_recipients r on r.site_id = b.site_id and r.run_id = b.run_id and r.no = b.no
      cross join lateral unnest(r.subscriber_ids) with ordinality as one (id, position)
      join subscribers s on s.site_id = ${siteId} and s.id = one.id
    where get_bit(b.bits, (one.position - 1)::int) = 1
    on conflict do nothing`.execute(tx);
}

/**
 * SQL: `judged` of an update (kept-back.ts). It leaves out Safari's readers, those that the nudge has not reached, and those
 * who have closed it or muted its story.
 */
export function judgeUpdate(
  { siteId, campaignId }: UpdateRun,
  withoutNudge: RawBuilder<unknown>,
  isMuted: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`closed as (
      select c.subscriber_id as id from closed_nudges c
        join runs r on r.site_id = c.site_id and r.id = c.run_id and r.campaign_id = ${campaignId} and r.kind = 'live'
      where c.site_id = ${siteId}),
    judged as materialized (
      select page.id, case when page.lane = ${laneWithoutReplacing} then ${finalCode.notReplaced}::int
          when before.code is not null then before.code
          when closed.id is not null then ${finalCode.closed}::int
          when ${isMuted} then ${finalCode.muted}::int end as code
      from page left join (${withoutNudge}) as before on before.id = page.id left join closed on closed.id = page.id)`;
}
