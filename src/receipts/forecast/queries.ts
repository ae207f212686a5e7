import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";
import { goneCodes } from "../../runs/codes.ts";
import type { PastNudge } from "./forecast.ts";

const daysRead = 365;
const nudgesRead = 1_000;
/** Of fewer readers a share says little. */
const acceptedAtLeast = 50;

/**
 * Reads the live sends of a site in the last year, oldest first: at most the last 1,000 whose clicks are in (a day old) and
 * were counted one by one.
 */
export async function historyOfSite(on: Executor, siteId: string, timeZone: string): Promise<PastNudge[]> {
  const found = await rows(
    sql<PastNudge>`select r.message->>'title' as title, r.message->>'imageUrl' is not null as "hasImage", r.topic_ids as "topicIds",
        extract(hour from r.created_at at time zone ${timeZone})::int as hour,
        extract(isodow from r.created_at at time zone ${timeZone})::int as weekday,
        (extract(epoch from r.created_at - lag(r.created_at) over (order by r.created_at)) / 3600)::float8 as "hoursSinceLast",
        (extract(epoch from now() - r.created_at) / 86400)::float8 as "ageDays",
        sums.accepted::float8 as accepted, coalesce(h.displayed, 0)::float8 as displayed,
        coalesce(h.clicked, 0)::float8 as clicked, (coalesce(h.unsubscribed, 0) + coalesce(t.gone, 0))::float8 as left
      from runs r
        join run_sums sums on sums.site_id = r.site_id and sums.run_id = r.id
        left join lateral (select sum(displayed) as displayed, sum(clicked) as clicked, sum(unsubscribed) as unsubscribed
          from receipt_hours where site_id = r.site_id and run_id = r.id) h on true
        left join lateral (select sum(n) as gone from run_totals
          where site_id = r.site_id and run_id = r.id and code = any(${goneCodes})) t on true
      where r.site_id = ${siteId} and r.kind = 'live' and r.message->>'receipts' is null
        and sums.accepted >= ${acceptedAtLeast}
        and r.created_at between now() - make_interval(days => ${daysRead}) and now() - interval '1 day'
      order by r.created_at desc limit ${nudgesRead}`,
    on,
  );
  return found.toReversed();
}

/** Hours since the last live send of a site; null: there was none. */
export async function hoursSinceLastSend(on: Executor, siteId: string): Promise<number | null> {
  const last = await row(
    sql<{ hours: number | null }>`select (extract(epoch from now() - max(created_at)) / 3600)::float8 as hours
      from runs where site_id = ${siteId} and kind = 'live'`,
    on,
  );
  return last!.hours;
}
