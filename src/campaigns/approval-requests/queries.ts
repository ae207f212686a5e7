import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { spanOf } from "../../runs/waves/waves.ts";
import type { Schedule } from "../local-time-delivery.ts";
import { sendableStates } from "../states.ts";
import type { ApprovalRequestRecord } from "./approval-request.ts";

/** The largest audience to which a member of the tenant may send without a second person; null: no limit. */
export async function confirmAboveOf(on: Executor, tenantId: string): Promise<number | null> {
  const found = await row(
    sql<{ confirmAbove: number | null }>`select confirm_above as "confirmAbove" from tenants where id = ${tenantId}`,
    on,
  );
  return found?.confirmAbove ?? null;
}

/** Locks a membership until the transaction ends: what one member sends is checked one after the other. */
export async function lockMember(tx: Tx, { tenantId, userId }: { tenantId: string; userId: string }): Promise<void> {
  await sql`select from members where tenant_id = ${tenantId} and user_id = ${userId} for no key update`.execute(tx);
}

/** The e-mail addresses of the editors and owners of a tenant, without `userId`. */
export async function otherSenders(on: Executor, tenantId: string, userId: string): Promise<string[]> {
  const others = await rows(
    sql<{ email: string }>`select u.email from members m join users u on u.id = m.user_id
      where m.tenant_id = ${tenantId} and m.role in ('editor', 'owner') and m.user_id <> ${userId} order by m.id`,
    on,
  );
  return others.map(({ email }) => email);
}

/**
 * Inserts a request. It expires after `hours` or the site's freshness limit, and when its schedule comes, or that hour
 * has passed everywhere.
 */
export async function insertApprovalRequest(
  on: Executor,
  request: {
    id: string;
    tenantId: string;
    siteId: string;
    campaignId: string;
    schedule: Schedule | null;
    audience: number;
    askedBy: string;
    hours: number;
  },
): Promise<void> {
  const { id, tenantId, siteId, campaignId, schedule, audience, askedBy, hours } = request;
  const moment = (ms: number | undefined) =>
    ms === undefined ? sql`null::timestamptz` : sql`to_timestamp(${ms}::float8 / 1000)`;
  const localTime = schedule?.localTime ? JSON.stringify(schedule.localTime) : null;
  const lastMs = schedule?.localTime ? spanOf(schedule.localTime).lastMs : schedule?.atMs;
  await sql`insert into approval_requests (id, tenant_id, site_id, campaign_id, schedule_at, local_time, audience, asked_by,
      expires_at)
    select ${id}, ${tenantId}, s.id, ${campaignId}, ${moment(schedule?.atMs)}, ${localTime}, ${audience}, ${askedBy},
      least(now() + make_interval(hours => least(${hours}::int, s.freshness_hours)), ${moment(lastMs)})
    from sites s where s.id = ${siteId}`.execute(on);
}

const columns = sql.raw(`q.id, q.site_id as "siteId", q.campaign_id as "campaignId", c.title,
  q.schedule_at as "scheduleAt", q.local_time as "localTime", q.audience, q.asked_by as "askedBy", u.email as "askedByEmail",
  q.asked_at as "askedAt", q.expires_at as "expiresAt"`);
const isOpen = sql`q.status = 'waiting' and q.expires_at > now() and c.status = any(${sendableStates})`;

/** The open request of a campaign, if there is one. */
export function openRequestOfCampaign(
  on: Executor,
  tenantId: string,
  campaignId: string,
): Promise<ApprovalRequestRecord | undefined> {
  return row(
    sql<ApprovalRequestRecord>`select ${columns} from approval_requests q
        join campaigns c on c.site_id = q.site_id and c.id = q.campaign_id join users u on u.id = q.asked_by
      where q.campaign_id = ${campaignId} and q.tenant_id = ${tenantId} and ${isOpen}`,
    on,
  );
}

/** The open requests of a site, in the order in which they expire. */
export function openRequestsOfSite(on: Executor, siteId: string): Promise<ApprovalRequestRecord[]> {
  return rows(
    sql<ApprovalRequestRecord>`select ${columns} from approval_requests q
        join campaigns c on c.site_id = q.site_id and c.id = q.campaign_id join users u on u.id = q.asked_by
      where q.site_id = ${siteId} and ${isOpen} order by q.expires_at`,
    on,
  );
}

/** Decides an open request. The caller has locked its campaign and read the request. */
export async function decideRequest(
  tx: Tx,
  id: string,
  decision: { status: "approved" | "refused" | "withdrawn"; by: string },
): Promise<void> {
  await sql`update approval_requests set status = ${decision.status}, decided_by = ${decision.by}, decided_at = now()
    where id = ${id} and status = 'waiting'`.execute(tx);
}

/**
 * Withdraws the waiting request of a campaign that has changed. `by`: the member who changed it; null: not a member.
 */
export async function withdrawRequests(on: Executor, campaignId: string, by: string | null): Promise<void> {
  await sql`update approval_requests set status = 'withdrawn', decided_by = ${by}, decided_at = now()
    where campaign_id = ${campaignId} and status = 'waiting'`.execute(on);
}

/** Whether this member has approved this request of the campaign before. */
export async function wasApprovedBy(on: Executor, campaignId: string, id: string, userId: string): Promise<boolean> {
  const found = await row(
    sql`select 1 from approval_requests where id = ${id} and campaign_id = ${campaignId} and status = 'approved'
      and decided_by = ${userId}`,
    on,
  );
  return found !== undefined;
}
