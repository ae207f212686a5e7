import { type RawBuilder, sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import type { RunStatus } from "../runs/states.ts";
import type { TestDevice } from "../runs/test-results.ts";
import type { CampaignRecord, Failure } from "./campaign.ts";
import type { CampaignChange } from "./campaign-input.ts";
import type { CampaignExtras } from "./nudge-extras.ts";
import { type CampaignStatus, campaignStatesBefore } from "./states.ts";

/**
 * The column of the view `campaign_states` for each property of a CampaignRecord. PostgreSQL expands the view's `c.*`
 * when it creates the view, so a migration that adds a column must create the view again.
 */
const columns: Record<keyof CampaignRecord, string> = {
  id: "id",
  tenantId: "tenant_id",
  siteId: "site_id",
  externalId: "external_id",
  mode: "mode",
  status: "state",
  shownStatus: "shown_status",
  runId: "run_id",
  url: "url",
  title: "title",
  body: "body",
  imageUrl: "image_url",
  language: "language",
  extras: "extras",
  topicIds: "topic_ids",
  segment: "segment_id",
  followersOf: "followers_of",
  forceSend: "force_send",
  decision: "decision",
  ttlSeconds: "ttl_seconds",
  urgency: "urgency",
  class: "class",
  labels: "labels",
  scheduledAt: "scheduled_at",
  localTime: "local_time",
  lateFrom: "late_from",
  failure: "failure",
  corrects: "corrects",
  groupId: "group_id",
  revision: "revision",
  createdAt: "created_at",
  updatedAt: "updated_at",
};
const selected = sql.raw(
  Object.entries(columns)
    .map(([property, column]) => `${column} as "${property}"`)
    .join(", "),
);

/** The fields of a record that the database sets, or a later change of status. */
type FilledLater =
  | "shownStatus"
  | "runId"
  | "scheduledAt"
  | "localTime"
  | "lateFrom"
  | "failure"
  | "revision"
  | "createdAt"
  | "updatedAt";

export type NewCampaign = Omit<CampaignRecord, FilledLater> & {
  status: "draft" | "cancelled";
  canonicalUrl: string | null;
  createdBy: string;
  /** Both are null if the creation had no Idempotency-Key. */
  idempotencyKey: string | null;
  idempotencyBodyHash: Buffer | null;
};

/** The column of the table `campaigns` for each property of a NewCampaign. */
const writtenColumns: Record<keyof NewCampaign, string> = {
  ...columns,
  status: "status",
  canonicalUrl: "canonical_url",
  createdBy: "created_by",
  idempotencyKey: "idempotency_key",
  idempotencyBodyHash: "idempotency_body_hash",
};

/** Returns the fields to write, each as its column and its value. */
function cellsOf(fields: Partial<NewCampaign>) {
  return (Object.entries(fields) as [keyof NewCampaign, unknown][]).map(([property, value]) => ({
    column: sql.ref(writtenColumns[property]),
    value: sql`${value}`,
  }));
}

/** Inserts a campaign. Returns false if another request with the same Idempotency-Key was faster. */
export async function insertCampaign(on: Executor, campaign: NewCampaign): Promise<boolean> {
  const cells = cellsOf(campaign);
  const inserted = await row(
    sql`insert into campaigns (${sql.join(cells.map(({ column }) => column))})
      values (${sql.join(cells.map(({ value }) => value))})
      on conflict (tenant_id, idempotency_key) where idempotency_key is not null do nothing
      returning id`,
    on,
  );
  return inserted !== undefined;
}

/** Returns the campaign if it belongs to the tenant. */
export function campaignOfTenant(on: Executor, tenantId: string, id: string): Promise<CampaignRecord | undefined> {
  return row(
    sql<CampaignRecord>`select ${selected} from campaign_states where id = ${id} and tenant_id = ${tenantId}`,
    on,
  );
}

/**
 * Locks the campaign until the transaction ends, so that simultaneous sends run one after another. Returns false if it
 * does not exist.
 */
export async function lockCampaign(on: Executor, tenantId: string, id: string): Promise<boolean> {
  const locked = await row(
    sql`select id from campaigns where id = ${id} and tenant_id = ${tenantId} for no key update`,
    on,
  );
  return locked !== undefined;
}

/** Returns the campaign that a request with this Idempotency-Key created, and the hash of that request's input. */
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

/** A change of the stored status, with the failure to store. */
export type CampaignMove = { to: "started" | "cancelled" } | { to: "failed"; failure: Failure };

/** Changes the status of a campaign if its current status allows it. Otherwise changes nothing and returns false. */
export async function moveCampaign(
  on: Executor,
  campaign: { siteId: string; id: string },
  move: CampaignMove,
): Promise<boolean> {
  const failure = move.to === "failed" ? JSON.stringify(move.failure) : null;
  const moved = await row(
    sql`update campaigns set status = ${move.to}, failure = ${failure}, updated_at = now()
      where site_id = ${campaign.siteId} and id = ${campaign.id} and status = any(${campaignStatesBefore(move.to)})
      returning id`,
    on,
  );
  return moved !== undefined;
}

/**
 * Increments the revision of a campaign, as a new schedule does. Returns false if the campaign can no longer be sent.
 */
export async function nextRevision(on: Executor, campaign: { siteId: string; id: string }): Promise<boolean> {
  return updateDraft(on, campaign, {});
}

/** The columns that a change to a draft writes. An absent field stays unchanged. */
export type DraftChange = Partial<
  Pick<NewCampaign, Exclude<keyof CampaignChange, keyof CampaignExtras> | "canonicalUrl" | "extras">
>;

/** Changes a campaign and increments its revision. Returns false if it can no longer be sent. */
export async function updateDraft(
  on: Executor,
  campaign: { siteId: string; id: string },
  change: DraftChange,
): Promise<boolean> {
  const assignments = cellsOf(change).map(({ column, value }) => sql`${column} = ${value}`);
  const updated = await row(
    sql`update campaigns set ${sql.join([...assignments, sql`revision = revision + 1, updated_at = now()`])}
      where site_id = ${campaign.siteId} and id = ${campaign.id} and status = 'draft' returning id`,
    on,
  );
  return updated !== undefined;
}

/**
 * Filters of campaigns. Absent filters match all. `where`: further SQL conditions on `campaign_states`. `after`: only
 * lower ids.
 */
export type CampaignFilter = {
  status?: CampaignStatus | undefined;
  siteId?: string | undefined;
  siteIds?: string[] | undefined;
  externalId?: string | undefined;
  where?: RawBuilder<unknown>[];
  after?: string | undefined;
  limit: number;
};

/**
 * Returns up to `limit` of the tenant's campaigns, newest first. The status comes from the same view as the status of a
 * single campaign.
 */
export function campaignsOfTenant(
  on: Executor,
  tenantId: string,
  { limit, ...filter }: CampaignFilter,
): Promise<CampaignRecord[]> {
  return rows(
    sql<CampaignRecord>`select ${selected} from campaign_states where ${isFound(tenantId, filter)}
      order by id desc limit ${limit}`,
    on,
  );
}

/** Returns the SQL condition on `campaign_states` that matches the tenant's campaigns of a filter. */
export function isFound(tenantId: string, filter: Omit<CampaignFilter, "limit">): RawBuilder<unknown> {
  const { status, siteId, siteIds, externalId, where = [], after } = filter;
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    ...(status === undefined ? [] : [hasStatus(tenantId, status)]),
    ...(siteId === undefined ? [] : [sql`site_id = ${siteId}`]),
    ...(siteIds === undefined ? [] : [sql`site_id = any(${siteIds}::uuid[])`]),
    ...(externalId === undefined ? [] : [sql`external_id = ${externalId}`]),
    ...where,
    ...(after === undefined ? [] : [sql`id < ${after}`]),
  ];
  return sql.join(conditions, sql` and `);
}

/**
 * Returns the SQL condition for a shown status. Most campaigns are sent ones. Other statuses are read from indexes
 * with few sent campaigns, so that a page does not read all of them. The condition for sent campaigns is written so
 * that PostgreSQL expects many rows. It expects few rows for any value of an expression such as shown_status.
 */
function hasStatus(tenantId: string, status: CampaignStatus) {
  const ofRuns = (...statuses: RunStatus[]) => sql`select campaign_id from runs where tenant_id = ${tenantId}
    and ${sendsCampaign("runs")} and status in (${sql.join(statuses.map((each) => sql.lit(each)))})`;
  if (status === "sent")
    return sql`status = 'started' and id <> all(array(${ofRuns("queued", "sending", "stopping", "stopped", "failed")}))`;
  const isShown = sql`shown_status = ${status}`;
  if (status === "draft" || status === "cancelled") return sql`status = ${sql.lit(status)} and ${isShown}`;
  const candidates = {
    scheduled: sql`select campaign_id from planned_sends
      where tenant_id = ${tenantId} and status = 'waiting' and waits_for = 'time'`,
    sending: ofRuns("queued", "sending"),
    stopped: ofRuns("stopping", "stopped"),
    failed: sql`select id from campaigns where tenant_id = ${tenantId} and status = 'failed' union all ${ofRuns("failed")}`,
  };
  return sql`${isShown} and id = any(array(${candidates[status]}))`;
}

/** Returns the first `limit` test subscribers of a site, in the order of their registration. */
export function testDevicesOfSite(on: Executor, siteId: string, limit: number): Promise<TestDevice[]> {
  return rows(
    sql<TestDevice>`select id, label from subscribers where site_id = ${siteId} and is_test order by id limit ${limit}`,
    on,
  );
}

/** Returns the addresses of a tenant's owners, and of the campaign's author if the author still sees its site. */
export async function peopleOfCampaign(on: Executor, campaign: { id: string; siteId: string }): Promise<string[]> {
  const people = await rows(
    sql<{ email: string }>`select u.email from site_members m join users u on u.id = m.user_id
      where m.site_id = ${campaign.siteId} and (m.role = 'owner' or 'user:' || m.user_id =
        (select created_by from campaigns where id = ${campaign.id})) order by m.member_id`,
    on,
  );
  return people.map(({ email }) => email);
}
