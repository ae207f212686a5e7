import { sql } from "kysely";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { type Executor, rows } from "../db/pool.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { finalCode } from "../runs/ledger/codes.ts";
import { receiptKinds } from "../runs/receipt-kinds.ts";
import { findSiteId } from "../subscribers/delete-registered.ts";
import { shareCount } from "../subscribers/share-count.ts";

/** So many runs of the site are looked at, the newest whose recipients are still known. */
const runsRead = 20;
/** A reader whose push service has taken so many of them, and whose browser has reported none, is unseen. */
const acceptedAtLeast = 5;
/**
 * The others of the push service must have reported this share of theirs: else the site's reports fail, not its
 * readers.
 */
const othersShare = 0.1;

/**
 * The readers of a push service. `reached`: those whose push service took at least one of the messages. `unseen`: those
 * of them whose browser has reported none of five or more, while others of the push service report theirs.
 */
export type UnseenCount = { pushService: string; reached: number; unseen: number };

/**
 * Counts the readers of a site whose messages are taken and never shown, by push service, the most first. Firefox
 * leaves such a subscription behind when a reader clears the data of the site: a live endpoint without a service
 * worker, until its quota ends it. A browser that was off all the time looks the same. Browsers that
 * report no displays are left out.
 * Throws `not_found`.
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
