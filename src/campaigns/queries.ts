import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import type { TestDevice } from "../runs/test-results.ts";
import type { CampaignRecord, Failure, KeptDecision } from "./campaign.ts";
import type { Original } from "./correction.ts";
import { type CampaignStatus, campaignStatesBefore, isStored, type StoredStatus } from "./states.ts";

const columns = sql.raw(`id, tenant_id as "tenantId", site_id as "siteId", external_id as "externalId", mode, status,
  shown_status as "shownStatus", run_id as "runId", url, title, body, image_url as "imageUrl", language,
  topic_ids as "topicIds",
  force_send as "forceSend", decision, ttl_seconds as "ttlSeconds", urgency, scheduled_at as "scheduledAt", failure,
  corrects, created_at as "createdAt", updated_at as "updatedAt"`);

export type NewCampaign = Pick<
  CampaignRecord,
  | "id"
  | "tenantId"
  | "siteId"
  | "externalId"
  | "mode"
  | "url"
  | "title"
  | "body"
  | "imageUrl"
  | "language"
  | "topicIds"
  | "forceSend"
  | "ttlSeconds"
  | "urgency"
  | "corrects"
> & {
  status: "draft" | "cancelled";
  decision: KeptDecision | null;
  canonicalUrl: string | null;
  createdBy: string;
  idempotency: { key: string; bodyHash: Buffer } | null;
};

/** Inserts a campaign. False: another request with the same Idempotency-Key was quicker. */
export async function insertCampaign(on: Executor, campaign: NewCampaign): Promise<boolean> {
  const inserted = await row(
    sql`insert into campaigns (site_id, id, tenant_id, external_id, mode, status, url, title, body, image_url, language,
        topic_ids, force_send, decision, canonical_url, ttl_seconds, urgency, created_by, corrects, idempotency_key,
        idempotency_body_hash)
      values (${campaign.siteId}, ${campaign.id}, ${campaign.tenantId}, ${campaign.externalId}, ${campaign.mode},
        ${campaign.status}, ${campaign.url}, ${campaign.title}, ${campaign.body}, ${campaign.imageUrl}, ${campaign.language},
        ${campaign.topicIds}, ${campaign.forceSend}, ${campaign.decision === null ? null : JSON.stringify(campaign.decision)},
        ${campaign.canonicalUrl}, ${campaign.ttlSeconds}, ${campaign.urgency}, ${campaign.createdBy}, ${campaign.corrects},
        ${campaign.idempotency?.key ?? null}, ${campaign.idempotency?.bodyHash ?? null})
      on conflict (tenant_id, idempotency_key) where idempotency_key is not null do nothing
      returning id`,
    on,
  );
  return inserted !== undefined;
}

/** The campaign if it is this tenant's. */
export function campaignOfTenant(on: Executor, tenantId: string, id: string): Promise<CampaignRecord | undefined> {
  return row(
    sql<CampaignRecord>`select ${columns} from campaign_states where id = ${id} and tenant_id = ${tenantId}`,
    on,
  );
}

/** Locks the campaign until the transaction ends: of many sends at once one goes first. */
export async function lockCampaign(on: Executor, tenantId: string, id: string): Promise<boolean> {
  const locked = await row(
    sql`select id from campaigns where id = ${id} and tenant_id = ${tenantId} for no key update`,
    on,
  );
  return locked !== undefined;
}

/** The campaign that this Idempotency-Key created, with the hash of the body that came with it. */
export function campaignByIdempotencyKey(
  on: Executor,
  tenantId: string,
  key: string,
): Promise<{ id: string; bodyHash: Buffer } | undefined> {
  return row(
    sql<{ id: string; bodyHash: Buffer }>`select id, idempotency_body_hash as "bodyHash" from campaigns
      where tenant_id = ${tenantId} and idempotency_key = ${key}`,
    on,
  );
}

/** Moves a campaign if it stands in a state from which `to` may be reached. False: it does not. */
export async function moveCampaign(
  on: Executor,
  campaign: { siteId: string; id: string },
  to: StoredStatus,
): Promise<boolean> {
  const moved = await row(
    sql`update campaigns set status = ${to}, updated_at = now()
      where site_id = ${campaign.siteId} and id = ${campaign.id} and status = any(${campaignStatesBefore(to)}) returning id`,
    on,
  );
  return moved !== undefined;
}

/** Moves a campaign that may be scheduled, or is already, to a time in ms since 1970. False: it stands elsewhere. */
export async function scheduleCampaignAt(
  on: Executor,
  campaign: { siteId: string; id: string },
  atMs: number,
): Promise<boolean> {
  const from: StoredStatus[] = [...campaignStatesBefore("scheduled"), "scheduled"];
  const moved = await row(
    sql`update campaigns set status = 'scheduled', scheduled_at = to_timestamp(${atMs}::float8 / 1000), updated_at = now()
      where site_id = ${campaign.siteId} and id = ${campaign.id} and status = any(${from}) returning id`,
    on,
  );
  return moved !== undefined;
}

/** Moves a scheduled campaign that could not go out to its end, with the reason. */
export async function failCampaign(
  on: Executor,
  campaign: { siteId: string; id: string },
  failure: Failure,
): Promise<void> {
  await sql`update campaigns set status = 'failed', failure = ${JSON.stringify(failure)}, updated_at = now()
    where site_id = ${campaign.siteId} and id = ${campaign.id} and status = any(${campaignStatesBefore("failed")})`.execute(
    on,
  );
}

/** Writes what may be changed of a draft. `canonicalUrl` undefined: it stays. False: it is a draft no more. */
export async function updateDraft(
  on: Executor,
  campaign: CampaignRecord,
  canonicalUrl: string | null | undefined,
): Promise<boolean> {
  const updated = await row(
    sql`update campaigns set url = ${campaign.url}, title = ${campaign.title}, body = ${campaign.body},
        image_url = ${campaign.imageUrl}, topic_ids = ${campaign.topicIds}, external_id = ${campaign.externalId},
        ttl_seconds = ${campaign.ttlSeconds}, urgency = ${campaign.urgency}, updated_at = now(),
        canonical_url = ${canonicalUrl === undefined ? sql`canonical_url` : canonicalUrl}
      where site_id = ${campaign.siteId} and id = ${campaign.id} and status = 'draft' returning id`,
    on,
  );
  return updated !== undefined;
}

/**
 * A page of the tenant's campaigns, newest first, from behind the id `after`. The shown status is the view's, so that a
 * list can never say another than the campaign itself.
 */
export function campaignsOfTenant(
  on: Executor,
  tenantId: string,
  filter: {
    status?: CampaignStatus | undefined;
    siteId?: string | undefined;
    externalId?: string | undefined;
    search?: string | undefined;
    after?: string | undefined;
    limit: number;
  },
): Promise<CampaignRecord[]> {
  const { status, siteId, externalId, search, after } = filter;
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    ...(status === undefined ? [] : [hasStatus(status)]),
    ...(siteId === undefined ? [] : [sql`site_id = ${siteId}`]),
    ...(externalId === undefined ? [] : [sql`external_id = ${externalId}`]),
    ...(search === undefined ? [] : [sql`position(lower(${search}) in lower(coalesce(title, '') || ' ' || url)) > 0`]),
    ...(after === undefined ? [] : [sql`id < ${after}`]),
  ];
  return rows(
    sql<CampaignRecord>`select ${columns} from campaign_states where ${sql.join(conditions, sql` and `)}
      order by id desc limit ${filter.limit}`,
    on,
  );
}

/**
 * Whether a campaign shows this status. What is stored as it is shown is asked for as it is stored, and spelt out: the
 * scheduled ones, a few among thousands, are then read from the index campaigns_due.
 */
function hasStatus(status: CampaignStatus) {
  return isStored(status) ? sql`status = ${sql.lit(status)}` : sql`shown_status = ${status}`;
}

export type DueCampaign = { campaignId: string; tenantId: string };

/** Under a pause until the grace time ends: nothing is to be done. Else hundreds of them would be judged twice a second. */
const isHeld = (graceMinutes: number) => sql`(s.paused_at is not null or t.paused_at is not null)
  and t.dpa_accepted_at is not null and c.scheduled_at > now() - make_interval(mins => ${graceMinutes})`;

/** What is due by the database's clock and not held, the longest due first. Others may be at the same ones. */
export function dueCampaigns(on: Executor, graceMinutes: number): Promise<DueCampaign[]> {
  return rows(
    sql<DueCampaign>`select c.id as "campaignId", c.tenant_id as "tenantId"
      from campaigns c join sites s on s.id = c.site_id join tenants t on t.id = c.tenant_id
      where c.status = 'scheduled' and c.scheduled_at <= now() and not (${isHeld(graceMinutes)})
      order by c.scheduled_at limit 1000`,
    on,
  );
}

/** How long until the next scheduled campaign is due, in ms; Infinity where there is none. */
export async function nextDueInMs(on: Executor): Promise<number> {
  const next = await row(
    // min() of nothing is null, and so is the difference: greatest(0, …) in SQL would make 0 of it.
    sql<{ ms: number | null }>`select (extract(epoch from min(scheduled_at) - clock_timestamp()) * 1000)::float8 as ms
      from campaigns where status = 'scheduled' and scheduled_at > now()`,
    on,
  );
  return next?.ms == null ? Number.POSITIVE_INFINITY : Math.max(0, next.ms);
}

/** Locks a campaign that is due, and tells by how many ms; undefined where another is at it, or it is due no more. */
export function lockDueCampaign(on: Executor, id: string): Promise<{ lateMs: number } | undefined> {
  return row(
    sql<{ lateMs: number }>`select (extract(epoch from clock_timestamp() - scheduled_at) * 1000)::float8 as "lateMs"
      from campaigns where id = ${id} and status = 'scheduled' and scheduled_at <= now()
      for no key update skip locked`,
    on,
  );
}

/** The database's clock, in ms since 1970: not that of the transaction's begin, which may have waited for a lock. */
export async function databaseNowMs(on: Executor): Promise<number> {
  const clock = await row(sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`, on);
  return clock!.ms;
}

/** The first `limit` test subscribers of a site, the longest registered first. */
export function testDevicesOfSite(on: Executor, siteId: string, limit: number): Promise<TestDevice[]> {
  return rows(
    sql<TestDevice>`select id, label from subscribers where site_id = ${siteId} and is_test order by id limit ${limit}`,
    on,
  );
}

/** Those of `topicIds` that are no topics of the site (or retired ones). */
export async function unknownTopics(on: Executor, siteId: string, topicIds: string[]): Promise<Set<string>> {
  const unknown = await rows(
    sql<{ id: string }>`select wanted.id from unnest(${topicIds}::uuid[]) as wanted (id)
      where not exists (select from topics t where t.site_id = ${siteId} and t.id = wanted.id and t.retired_at is null)`,
    on,
  );
  return new Set(unknown.map((topic) => topic.id));
}

/** What the gates judge by, of a site and its tenant. */
export type SiteGates = {
  siteRemoved: boolean;
  dpaAccepted: boolean;
  tenantPaused: boolean;
  sitePaused: boolean;
  plan: string;
};

/** What the gates judge by, of a campaign's tenant and site. */
export function gateFactsOfSite(on: Executor, siteId: string): Promise<SiteGates | undefined> {
  return row(
    sql<SiteGates>`
      select s.removed_at is not null as "siteRemoved", t.dpa_accepted_at is not null as "dpaAccepted", t.paused_at is not null as "tenantPaused",
        s.paused_at is not null as "sitePaused", t.plan
      from sites s join tenants t on t.id = s.tenant_id where s.id = ${siteId}`,
    on,
  );
}

/** The addresses of a tenant's owners, and of the author of a campaign who is still a member. */
export async function peopleOfCampaign(on: Executor, campaign: { id: string; tenantId: string }): Promise<string[]> {
  const people = await rows(
    sql<{ email: string }>`select u.email from members m join users u on u.id = m.user_id
      where m.tenant_id = ${campaign.tenantId} and (m.role = 'owner' or 'user:' || m.user_id =
        (select created_by from campaigns where id = ${campaign.id})) order by m.id`,
    on,
  );
  return people.map(({ email }) => email);
}

/** Takes a campaign that is due and held, and of which nobody was told at this time of it; undefined: there is none. */
export function takeUntoldHold(
  on: Executor,
  graceMinutes: number,
): Promise<{ id: string; tenantId: string } | undefined> {
  return row(
    sql<{ id: string; tenantId: string }>`update campaigns set held_told_for = scheduled_at
      where id = (select c.id from campaigns c join sites s on s.id = c.site_id join tenants t on t.id = c.tenant_id
        where c.status = 'scheduled' and c.scheduled_at <= now() and c.held_told_for is distinct from c.scheduled_at
          and ${isHeld(graceMinutes)} limit 1 for no key update of c skip locked)
      returning id, tenant_id as "tenantId"`,
    on,
  );
}

/** What a correction of this campaign needs to know of its live run; undefined where it has none. */
export function correctedRun(on: Executor, tenantId: string, campaignId: string): Promise<Original | undefined> {
  return row(
    sql<Original>`select c.site_id as "siteId", c.topic_ids as "topicIds", coalesce(r.message->>'tag', r.id::text) as tag,
        r.max_subscriber_id as "maxSubscriberId", r.finished_at is not null as "isOver"
      from campaigns c join runs r on r.site_id = c.site_id and r.campaign_id = c.id and r.kind = 'live'
      where c.id = ${campaignId} and c.tenant_id = ${tenantId}`,
    on,
  );
}
