import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { earliestStart } from "../runs/queries.ts";
import { type Audience, isOfAudience } from "../subscribers/audience.ts";
import { isReachable } from "../subscribers/queries.ts";
import { recentCampaigns, type SiteFacts, storyCooldownDays } from "./site-facts.ts";

/**
 * Reads the facts of a site for a decision in one query. Returns undefined if there is no such site. `addresses`: the
 * addresses of the story, from `canonicalForm`. `imageUrl`: its picture. `countAtMost`: the number at which counting
 * the audience stops. `now`: ms since 1970.
 */
export async function readSiteFacts(
  on: Executor,
  wanted: Audience & {
    siteId: string;
    addresses: string[];
    imageUrl: string | null;
    countAtMost: number;
    now: number;
  },
): Promise<SiteFacts | undefined> {
  const { siteId, topicIds, addresses, imageUrl, countAtMost } = wanted;
  const now = new Date(wanted.now);
  // The run that began last is not always the one that reached its hour at the site last.
  const lastStart = sql`(select created_at from live where has_come order by created_at desc limit 1)`;
  const dayAgo = sql`${now}::timestamptz - interval '24 hours'`;
  // A run counts as a send from its start, because a stopped run has reached some readers. A run without an audience
  // does not count. A run with local-time delivery counts for its story from its start. For the site's limits it
  // counts from its hour in the site's zone.
  const found = await row(
    sql<Omit<SiteFacts, "reachableExact">>`with
      live as not materialized (
        select r.campaign_id, r.created_at, r.counts_at as nudged_at,
          (r.counts_at = r.created_at or r.counts_at <= ${now}::timestamptz) as has_come from runs r
        where r.site_id = ${siteId} and ${sendsCampaign("r")} and r.expected_audience > 0)
      select site.id as "siteId", site.time_zone as "timeZone", site.freshness_hours as "freshnessHours",
        site.daily_limit as "dailyLimit", site.min_gap_minutes as "minGapMinutes", site.undated_stories as "undatedStories",
        case when site.quiet_from is not null then json_build_object(
          'from', left(site.quiet_from::text, 5), 'until', left(site.quiet_until::text, 5)) end as "quietHours",
        (select count(*) from (
          select from subscribers s where s.site_id = ${siteId} and not s.is_test and ${isReachable}
            and ${isOfAudience(siteId, wanted)}
          limit ${countAtMost + 1}) audience) as reachable,
        array(
          select t.name from topics t where t.site_id = ${siteId} and t.id = any(${topicIds}::uuid[]) and not exists (
            select from subscriber_topics st join subscribers s on s.site_id = st.site_id and s.id = st.subscriber_id
            where st.site_id = t.site_id and st.topic_id = t.id and not s.is_test)
          order by t.name) as "emptyTopics",
        (select count(*) from live
          where created_at > ${earliestStart(dayAgo)} and nudged_at > ${dayAgo} and has_come) as "sentLast24Hours",
        (select max(nudged_at) from live where has_come and created_at > ${earliestStart(lastStart)}) as "lastSentAt",
        (select max(case when has_come then live.nudged_at else live.created_at end)
          from campaigns c join live on live.campaign_id = c.id
          where c.site_id = ${siteId} and c.canonical_url = any(${addresses}::text[])
            and live.nudged_at > ${now}::timestamptz - ${storyCooldownDays} * interval '1 day') as "storySentAt",
        (select count(distinct canonical_url) from (
          select canonical_url, image_url from campaigns where site_id = ${siteId} order by id desc
          limit ${recentCampaigns}) recent
          where image_url = ${imageUrl} and canonical_url <> all(${addresses}::text[])) as "otherStoriesWithPicture"
      from sites site where site.id = ${siteId}`,
    on,
  );
  if (found === undefined) return undefined;
  const reachable = Math.min(found.reachable, countAtMost);
  return { ...found, reachable, reachableExact: found.reachable <= countAtMost };
}
