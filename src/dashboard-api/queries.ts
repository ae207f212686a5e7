import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { fixableCodes } from "../runs/ledger/codes.ts";
import { isReachable } from "../subscribers/queries.ts";
import { countLimit } from "./reports/queries.ts";

/** The facts of a site and its tenant that the overview's alerts depend on. */
export type SiteState = {
  dpaAccepted: boolean;
  tenantPaused: boolean;
  sitePaused: boolean;
  screenGoalSeconds: number | null;
  timeZone: string;
  testDevices: number;
};

export async function stateOfSite(on: Executor, tenantId: string, siteId: string): Promise<SiteState | undefined> {
  return row(
    sql<SiteState>`select t.dpa_accepted_at is not null as "dpaAccepted", t.paused_at is not null as "tenantPaused",
        s.paused_at is not null as "sitePaused", s.time_zone as "timeZone",
        s.screen_goal_seconds as "screenGoalSeconds",
        (select count(*) from subscribers d where d.site_id = s.id and d.is_test) as "testDevices"
      from sites s join tenants t on t.id = s.tenant_id where s.id = ${siteId} and s.tenant_id = ${tenantId} and s.removed_at is null`,
    on,
  );
}

export type Refusal = { pushService: string; code: number; n: number };

/**
 * Counts the refusals in a site's live runs of the last 24 hours, by push service and code. The most frequent is
 * first.
 */
export function refusalsOfSite(on: Executor, siteId: string): Promise<Refusal[]> {
  return rows(
    sql<Refusal>`select t.push_service as "pushService", t.code, sum(t.n)::bigint as n
      from runs r join run_totals t on t.site_id = r.site_id and t.run_id = r.id and t.code = any(${fixableCodes}::smallint[])
      where r.site_id = ${siteId} and ${sendsCampaign("r")} and r.created_at > now() - interval '24 hours'
      group by t.push_service, t.code order by n desc`,
    on,
  );
}

/** Returns the push services that are blocked for a site, with the reason. */
export function blockedPushServices(on: Executor, siteId: string): Promise<{ pushService: string; reason: string }[]> {
  return rows(
    sql<{
      pushService: string;
      reason: string;
    }>`select origin as "pushService", blocked_reason as reason from site_push_services
      where site_id = ${siteId} and blocked_reason is not null order by origin`,
    on,
  );
}

/**
 * Returns the titles (or URLs) of a site's feeds that wait for an editor to decide what to do with very many new
 * items.
 */
export async function feedsThatAsk(on: Executor, siteId: string): Promise<string[]> {
  const asking = await rows(
    sql<{ name: string }>`select coalesce(title, url) as name from feeds
      where site_id = ${siteId} and asked_at is not null order by id`,
    on,
  );
  return asking.map(({ name }) => name);
}

export type PushServiceCount = { pushService: string; n: number };

/** Counts the reachable subscribers of a site by push service. The counts are exact up to `countLimit` in total. */
export function pushServicesOfSite(on: Executor, siteId: string): Promise<PushServiceCount[]> {
  return rows(
    sql<PushServiceCount>`select push_service as "pushService", count(*) as n from (
        select push_service from subscribers s where s.site_id = ${siteId} and not s.is_test and ${isReachable} limit ${countLimit}) counted
      group by push_service order by n desc`,
    on,
  );
}

export type TopicCount = { topicId: string; name: string; n: number };

/** Counts the reachable subscribers of each topic of a site. */
export function topicsOfSite(on: Executor, siteId: string): Promise<TopicCount[]> {
  return rows(
    sql<TopicCount>`select t.id as "topicId", t.name, (select count(*) from (
          select from subscriber_topics st join subscribers s on s.site_id = st.site_id and s.id = st.subscriber_id
          where st.site_id = t.site_id and st.topic_id = t.id and not s.is_test and ${isReachable} limit ${countLimit}) counted) as n
      from topics t where t.site_id = ${siteId} and t.retired_at is null order by t.name`,
    on,
  );
}

export type Device = { deviceId: number; label: string | null; pushService: string; createdAt: Date };

export function devicesOfSite(on: Executor, siteId: string): Promise<Device[]> {
  return rows(
    sql<Device>`select id as "deviceId", label, push_service as "pushService", created_at as "createdAt" from subscribers
      where site_id = ${siteId} and is_test order by id limit 200`,
    on,
  );
}

/** Returns the campaign ids of a site's last `limit` live sends, newest first. */
export async function recentSends(on: Executor, siteId: string, limit: number): Promise<string[]> {
  const found = await rows(
    sql<{ campaignId: string }>`select campaign_id as "campaignId" from runs
      where site_id = ${siteId} and ${sendsCampaign("runs")} order by created_at desc limit ${limit}`,
    on,
  );
  return found.map(({ campaignId }) => campaignId);
}

export type TenantState = {
  name: string;
  plan: string;
  paused: boolean;
  confirmAbove: number | null;
  requiresSecondFactor: boolean;
  senders: number;
  dpaAcceptedAt: Date | null;
  dpaVersion: string | null;
  /**
   * The name and address of the user who accepted the agreement, or the kind of another actor. Null if the user was
   * deleted or was not recorded.
   */
  dpaAcceptedBy: string | null;
};

export function stateOfTenant(on: Executor, tenantId: string): Promise<TenantState | undefined> {
  return row(
    sql<TenantState>`select t.name, t.plan, t.paused_at is not null as paused, t.dpa_accepted_at as "dpaAcceptedAt",
        t.dpa_version as "dpaVersion", t.confirm_above as "confirmAbove",
        t.requires_second_factor as "requiresSecondFactor",
        (select coalesce(min(n), 0) from (select count(m.user_id) as n from sites s
          left join site_members m on m.site_id = s.id and m.role in ('editor', 'owner')
          where s.tenant_id = t.id and s.removed_at is null group by s.id) of_sites) as senders,
        case when t.dpa_accepted_by like 'user:%' then label_of(u) else t.dpa_accepted_by end as "dpaAcceptedBy"
      from tenants t left join users u
        on u.id = case when t.dpa_accepted_by like 'user:%' then split_part(t.dpa_accepted_by, ':', 2)::uuid end
      where t.id = ${tenantId}`,
    on,
  );
}

/** Returns the number of a tenant's live sends this month (UTC), their accepted messages and their largest audience. */
export async function usageOfMonth(
  on: Executor,
  tenantId: string,
): Promise<{ sends: number; accepted: number; largestAudience: number }> {
  const usage = await row(
    // The join by site uses the index live_runs_of_site, which skips the runs before this month.
    sql<{ sends: number; accepted: number; largestAudience: number }>`
      select count(*) as sends, coalesce(sum(c.accepted), 0)::bigint as accepted,
        coalesce(max(greatest(c.size, r.expected_audience)), 0) as "largestAudience"
      from sites s
        join runs r on r.site_id = s.id and ${sendsCampaign("r")}
          and r.created_at >= date_trunc('month', now(), 'UTC')
        join run_sums c on c.site_id = r.site_id and c.run_id = r.id
      where s.tenant_id = ${tenantId}`,
    on,
  );
  return usage!;
}

export type ExportedSubscriber = { id: number; endpoint: string; p256dh: Buffer; auth: Buffer; topics: string[] };

/**
 * Returns the next `limit` subscribers of a site with ids greater than `after`, with their topics. Leaves out retired
 * topics, because the import refuses a line that names one.
 */
export function subscribersPage(
  on: Executor,
  siteId: string,
  after: number,
  limit: number,
): Promise<ExportedSubscriber[]> {
  return rows(
    sql<ExportedSubscriber>`select s.id, s.endpoint, s.p256dh, s.auth,
        array(select st.topic_id::text from subscriber_topics st
          join topics t on t.site_id = st.site_id and t.id = st.topic_id and t.retired_at is null
          where st.site_id = s.site_id and st.subscriber_id = s.id order by 1) as topics
      from subscribers s where s.site_id = ${siteId} and not s.is_test and s.id > ${after} order by s.id limit ${limit}`,
    on,
  );
}
