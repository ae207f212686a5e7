import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import { bringsNotification, sendsCampaign } from "../runs/kinds.ts";
import { earliestStart } from "../runs/queries.ts";

/** The number of sends of a site in a period, and what readers did with them. */
export type Sends = { sends: number; reached: number; displayed: number; clicked: number };

/**
 * Returns the sums of a site's live sends for two periods of `days` days each: the period that ends with today in
 * `timeZone`, and the one before. `offset 0` makes each run look up its figures by its key: 5,000 runs with as many
 * updates take 0.3 s.
 */
export async function sendsOfPeriods(
  on: Executor,
  siteId: string,
  timeZone: string,
  days: number,
): Promise<{ before: Sends; now: Sends }> {
  const [before, now] = await rows(
    sql<Sends>`with today as (select (now() at time zone ${timeZone})::date as day),
      periods as (select no, (day - ${days}::int * no + 1)::timestamp at time zone ${timeZone} as begins,
          (day - ${days}::int * (no - 1) + 1)::timestamp at time zone ${timeZone} as ends
        from today, generate_series(1, 2) as no)
      select count(r.id)::int as sends, coalesce(sum(c.accepted), 0)::bigint as reached,
        coalesce(sum(h.displayed), 0)::bigint as displayed, coalesce(sum(h.clicked), 0)::bigint as clicked
      from periods p
        left join runs r on r.site_id = ${siteId} and ${sendsCampaign("r")}
          and r.created_at >= ${earliestStart(sql`p.begins`)} and r.counts_at >= p.begins and r.counts_at < p.ends
        left join run_sums c on c.site_id = r.site_id and c.run_id = r.id
        left join lateral (select displayed, clicked from notification_sums
          where site_id = r.site_id and run_id = r.id offset 0) h on true
      group by p.no order by p.no desc`,
    on,
  );
  return { before: before!, now: now! };
}

export type CalendarEntry = { campaignId: string; title: string; status: string; at: Date; day: string };

/**
 * Returns the sent and planned notifications of a site in a month (YYYY-MM) in `timeZone`, earliest first, at most
 * `limit`.
 */
export function entriesOfMonth(
  on: Executor,
  site: { siteId: string; timeZone: string },
  month: string,
  limit: number,
): Promise<CalendarEntry[]> {
  const { siteId, timeZone } = site;
  const begins = sql`(${`${month}-01`}::timestamp at time zone ${timeZone})`;
  const ends = sql`((${`${month}-01`}::timestamp + interval '1 month') at time zone ${timeZone})`;
  return rows(
    sql<CalendarEntry>`select id as "campaignId", title, shown_status as status, at,
        to_char(at at time zone ${timeZone}, 'YYYY-MM-DD') as day
      from (
        select c.id, c.title, c.shown_status, r.counts_at as at from runs r
          join campaign_states c on c.site_id = r.site_id and c.id = r.campaign_id
          where r.site_id = ${siteId} and ${sendsCampaign("r")}
            and r.created_at >= ${earliestStart(begins)} and r.created_at < ${ends}
        union all
        select id, title, shown_status, coalesce(late_from, scheduled_at) from campaign_states
          where site_id = ${siteId} and state = 'scheduled') found
      where at >= ${begins} and at < ${ends} order by at limit ${limit}`,
    on,
  );
}

/**
 * Returns the campaigns that a site has sent live since midnight in `timeZone`, newest first. A campaign at an hour
 * of the readers' local time appears when its run begins, when the first readers get it. It stays until the end of
 * the day of that hour.
 */
export async function sendsOfToday(on: Executor, siteId: string, timeZone: string, limit: number): Promise<string[]> {
  const midnight = sql`(date_trunc('day', now() at time zone ${timeZone}) at time zone ${timeZone})`;
  const found = await rows(
    sql<{ campaignId: string }>`select campaign_id as "campaignId" from runs
      where site_id = ${siteId} and ${sendsCampaign("runs")} and created_at >= ${earliestStart(midnight)}
        and runs.counts_at >= ${midnight}
      order by runs.counts_at desc limit ${limit}`,
    on,
  );
  return found.map(({ campaignId }) => campaignId);
}

export type SiteMinute = { minute: Date; displayed: number; clicked: number };

/**
 * Returns how many notifications of a site were displayed and clicked in each of the last `minutes` minutes, the
 * current minute last. Counts live sends, digests and welcomes. An update counts with its notification.
 */
export function minutesOfSite(on: Executor, siteId: string, minutes: number): Promise<SiteMinute[]> {
  return rows(
    sql<SiteMinute>`with shown as (select generate_series(date_trunc('minute', now()) - make_interval(mins => ${minutes - 1}),
        date_trunc('minute', now()), interval '1 minute') as minute)
      select shown.minute, coalesce(sum(m.displayed), 0)::int as displayed, coalesce(sum(m.clicked), 0)::int as clicked
      from shown left join lateral (select displayed, clicked from notification_minutes m
        where m.site_id = ${siteId} and m.minute = shown.minute and ${bringsNotification("m")} offset 0) m on true
      group by shown.minute order by shown.minute`,
    on,
  );
}
