import { sql } from "kysely";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { type Executor, rows } from "../db/pool.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { finalCode } from "../runs/ledger/codes.ts";
import { receiptKinds } from "../runs/receipt-kinds.ts";
import { findSiteId } from "../subscribers/delete-registered.ts";
import { shareCount } from "../subscribers/share-count.ts";

/** How many runs of the site are read: the newest finished runs whose recipients are still stored. */
const runsRead = 20;
/** A reader is unseen if the push service accepted this many of their messages and the browser reported none. */
const acceptedAtLeast = 5;
/**
 * The push service's other readers must have reported more than this share of their messages. If they did not, the
 * site's reports fail.
 */
const othersShare = 0.1;

/**
 * The readers of a push service. `reached`: the push service accepted at least one of their messages. `unseen`: it
 * accepted five or more and the browser reported none, while the push service's other readers report theirs.
 */
export type UnseenCount = { pushService: string; reached: number; unseen: number };

/**
 * Returns how many readers of a site have messages that are accepted but never shown, by push service, highest count
 * first. Firefox leaves such a subscription behind when a reader clears the site's data: the endpoint lives on
 * without a service worker until its quota ends it. A browser that was off all the time looks the same. Leaves out
 * browsers that report no displays. Throws `not_found`.
 */
export async function readUnseen(
  app: App,
  actor: Actor,
  input: { siteId: string },
): Promise<{ pushServices: UnseenCount[] }> {
  const siteId = await findSiteId(app, actor, input.siteId);
  return { pushServices: await shareCount(app, siteId, ["unseen"], () => unseenOfSite(app.db, siteId)) };
}

function unseenOfSite(on: Executor, siteId: string): Promise<UnseenCount[]> {
  const { displayed, clicked, dismissed } = receiptKinds;
  return rows(
    sql<UnseenCount>`with run as materialized (
        select id from runs where site_id = ${siteId} and ${sendsCampaign("runs")} and finished_at is not null and pruned_at is null
          and receipts is null
        order by finished_at desc limit ${runsRead}),
      message as (
        select b.push_service, one.id, coalesce(get_bit(report.bits, (one.place - 1)::int), 0) as seen
        from run join run_batches b on b.site_id = ${siteId} and b.run_id = run.id
          join run_recipients p on p.site_id = b.site_id and p.run_id = b.run_id and p.no = b.no
          left join lateral (
            select bit_or(r.bits) as bits from receipt_bits r where r.site_id = b.site_id and r.run_id = b.run_id
              and r.no = b.no and r.kind = any(${[displayed, clicked, dismissed]}::smallint[])) report on true
          cross join lateral unnest(p.subscriber_ids) with ordinality as one (id, place)
        where b.reports_displays and get_byte(b.codes, (one.place - 1)::int) = ${finalCode.accepted}),
      reader as (
        select m.push_service, m.id, count(*) as accepted, sum(m.seen) as seen
        from message m join subscribers s on s.site_id = ${siteId} and s.id = m.id and not s.is_test group by 1, 2),
      checked as (select *, seen = 0 and accepted >= ${acceptedAtLeast} as is_unseen from reader)
      select push_service as "pushService", count(*) as reached, case when coalesce(sum(seen) filter (where not is_unseen), 0)
          > ${othersShare}::float8 * coalesce(sum(accepted) filter (where not is_unseen), 0)
        then count(*) filter (where is_unseen) else 0 end as unseen
      from checked group by push_service order by unseen desc, push_service`,
    on,
  );
}
