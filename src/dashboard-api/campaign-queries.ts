import { type RawBuilder, sql } from "kysely";
import { type CampaignFilter, isFound } from "../campaigns/queries.ts";
import { type Executor, rows } from "../db/pool.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import type { Site } from "../tenants/sites/site.ts";
import { isSentIn, nameOfSender, senderOf } from "./reports/figures-queries.ts";

/** The filters of a list of campaigns. `from` and `to`: days of the calendar of `site`. */
export type ListFilter = {
  search?: string | undefined;
  topicId?: string | undefined;
  sender?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/**
 * Returns the SQL conditions of a filter on `campaign_states`. A filter by sender or by days matches only sent
 * campaigns. `site`: needed for days.
 */
export function conditionsOf(
  { search, topicId, sender, from, to }: ListFilter,
  site: Site | undefined,
): RawBuilder<unknown>[] {
  return [
    ...(search ? [sql`position(lower(${search}) in lower(coalesce(title, '') || ' ' || url)) > 0`] : []),
    ...(topicId === undefined ? [] : [sql`topic_ids @> array[${topicId}]::uuid[]`]),
    ...(sender === undefined ? [] : [sql`run_id is not null and ${senderOf("campaign_states")} = ${sender}`]),
    ...(site === undefined || (from === undefined && to === undefined)
      ? []
      : [
          sql`id = any(array(select r.campaign_id from runs r
            where r.site_id = ${site.id} and ${sendsCampaign("r")} and ${isSentIn(site, { from, to })}))`,
        ]),
  ];
}

/**
 * Returns at most `limit` sent campaigns that match `filter`, with their clicks. The most clicked is first. `after`:
 * the last campaign of the page before. `offset 0` makes each run look up its clicks by its key: 5,000 runs of 72
 * hours take 0.4 s.
 */
export function mostClicked(
  on: Executor,
  tenantId: string,
  { limit, after, ...filter }: Omit<CampaignFilter, "after"> & { after: { clicked: number; id: string } | undefined },
): Promise<{ id: string; clicked: number }[]> {
  return rows(
    sql<{ id: string; clicked: number }>`with found as materialized (
        select site_id, id, run_id from campaign_states where run_id is not null and ${isFound(tenantId, filter)})
      select f.id, h.clicked from found f cross join lateral (select clicked from notification_sums
        where site_id = f.site_id and run_id = f.run_id offset 0) h
      ${after === undefined ? sql`` : sql`where (h.clicked, f.id) < (${after.clicked}::bigint, ${after.id}::uuid)`}
      order by h.clicked desc, f.id desc limit ${limit}`,
    on,
  );
}

export type TopicChoice = { topicId: string; name: string; isRetired: boolean };

/** Returns the topics of a site, including retired ones, because campaigns keep their topics. */
export function topicChoices(on: Executor, siteId: string, limit: number): Promise<TopicChoice[]> {
  return rows(
    sql<TopicChoice>`select id as "topicId", name, retired_at is not null as "isRetired" from topics
      where site_id = ${siteId} order by retired_at is not null, name limit ${limit}`,
    on,
  );
}

/**
 * A sender. `key`: `user:ID`, `key:ID`, `feed:ID` or a kind of actor. `name`: for a member, with the address; null if
 * the sender has no name or is gone.
 */
export type Sender = { key: string; name: string | null };

/** Returns the last `limit` senders of a site. The one who sent last is first. 5,000 campaigns take 40 ms. */
export function sendersOfSite(on: Executor, site: Site, limit: number): Promise<Sender[]> {
  return rows(
    sql<Sender>`with sums as (
        select ${senderOf("c")} as key, max(r.created_at) as last from runs r
          join campaigns c on c.site_id = r.site_id and c.id = r.campaign_id
        where r.site_id = ${site.id} and ${sendsCampaign("r")} group by 1 order by 2 desc limit ${limit})
      select sums.key, ${nameOfSender(site.tenantId, "label")} as name from sums order by sums.last desc`,
    on,
  );
}

/** The names that belong to the ids of a campaign. `sender`: null if the campaign was not sent. */
export type CampaignNames = { id: string; topics: string[]; segment: string | null; sender: string | null };

/**
 * Returns the names of the topics, the segment and the sender of campaigns. The name of a sender without a name is
 * its key.
 */
export function namesOfCampaigns(on: Executor, tenantId: string, ids: string[]): Promise<CampaignNames[]> {
  return rows(
    sql<CampaignNames>`with sums as (
        select c.site_id, c.id, c.topic_ids, c.segment_id, case when c.run_id is not null then ${senderOf("c")} end as key
        from campaign_states c where c.tenant_id = ${tenantId} and c.id = any(${ids}::uuid[]))
      select sums.id, array(select t.name from topics t where t.site_id = sums.site_id and t.id = any(sums.topic_ids)
          order by t.name) as topics,
        (select s.name from segments s where s.site_id = sums.site_id and s.id = sums.segment_id) as segment,
        coalesce(${nameOfSender(tenantId, "label")}, sums.key) as sender
      from sums`,
    on,
  );
}
