import { sql } from "kysely";
import { type Executor, row, rows } from "../db/database.ts";
import type { CampaignRecord, KeptDecision } from "./campaign.ts";
import { campaignStatesBefore, type StoredStatus } from "./states.ts";

const columns = sql.raw(`id, tenant_id as "tenantId", site_id as "siteId", external_id as "externalId", mode, status,
  shown_status as "shownStatus", run_id as "runId", url, title, body, image_url as "imageUrl", topic_ids as "topicIds",
  force_send as "forceSend", decision, ttl_seconds as "ttlSeconds", urgency, scheduled_at as "scheduledAt", failure,
  created_at as "createdAt", updated_at as "updatedAt"`);

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
  | "topicIds"
  | "forceSend"
  | "ttlSeconds"
  | "urgency"
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
    sql`insert into campaigns (site_id, id, tenant_id, external_id, mode, status, url, title, body, image_url, topic_ids,
        force_send, decision, canonical_url, ttl_seconds, urgency, created_by, idempotency_key, idempotency_body_hash)
      values (${campaign.siteId}, ${campaign.id}, ${campaign.tenantId}, ${campaign.externalId}, ${campaign.mode},
        ${campaign.status}, ${campaign.url}, ${campaign.title}, ${campaign.body}, ${campaign.imageUrl}, ${campaign.topicIds},
        ${campaign.forceSend}, ${campaign.decision === null ? null : JSON.stringify(campaign.decision)},
        ${campaign.canonicalUrl}, ${campaign.ttlSeconds}, ${campaign.urgency}, ${campaign.createdBy},
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

/** Those of `topicIds` that are no topics of the site (or retired ones). */
export async function unknownTopics(on: Executor, siteId: string, topicIds: string[]): Promise<Set<string>> {
  const unknown = await rows(
    sql<{ id: string }>`select wanted.id from unnest(${topicIds}::uuid[]) as wanted (id)
      where not exists (select from topics t where t.site_id = ${siteId} and t.id = wanted.id and t.retired_at is null)`,
    on,
  );
  return new Set(unknown.map((topic) => topic.id));
}

/** What the gates judge by, of a campaign's tenant and site. */
export function gateFactsOfSite(
  on: Executor,
  siteId: string,
): Promise<{ dpaAccepted: boolean; tenantPaused: boolean; sitePaused: boolean; plan: string } | undefined> {
  return row(
    sql<{ dpaAccepted: boolean; tenantPaused: boolean; sitePaused: boolean; plan: string }>`
      select t.dpa_accepted_at is not null as "dpaAccepted", t.paused_at is not null as "tenantPaused",
        s.paused_at is not null as "sitePaused", t.plan
      from sites s join tenants t on t.id = s.tenant_id where s.id = ${siteId}`,
    on,
  );
}
