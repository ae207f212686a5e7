import { sql } from "kysely";
import { sendableStates } from "../campaigns/states.ts";
import { type Executor, row, rows } from "../db/pool.ts";
import type { ApprovalRequestRecord } from "./approval-request.ts";

const columns = sql.raw(`p.id, p.site_id as "siteId", p.campaign_id as "campaignId", c.title,
  p.starts_at as "startsAt", p.local_time as "localTime", p.audience, p.user_id as "userId", label_of(u) as label,
  p.decided_at as "decidedAt", p.expires_at as "expiresAt"`);
const joined = sql.raw(`planned_sends p join campaign_states c on c.site_id = p.site_id and c.id = p.campaign_id
  join users u on u.id = p.user_id`);
// An approval covers what the request asked for. A campaign that has changed since has another revision.
const isOpen = sql`p.waits_for = 'approval' and p.status = 'waiting' and p.expires_at > now()
  and p.campaign_revision = c.revision and c.state = any(${sendableStates})`;

/** Returns the open request of a campaign, if there is one. */
export function openRequestOfCampaign(
  on: Executor,
  tenantId: string,
  campaignId: string,
): Promise<ApprovalRequestRecord | undefined> {
  return row(
    sql<ApprovalRequestRecord>`select ${columns} from ${joined}
      where p.campaign_id = ${campaignId} and p.tenant_id = ${tenantId} and ${isOpen}`,
    on,
  );
}

/** Returns the open requests of a site, in the order in which they expire. */
export function openRequestsOfSite(on: Executor, siteId: string): Promise<ApprovalRequestRecord[]> {
  return rows(
    sql<ApprovalRequestRecord>`select ${columns} from ${joined} where p.site_id = ${siteId} and ${isOpen}
      order by p.expires_at`,
    on,
  );
}

/** Returns whether this member has approved this request of the campaign before. */
export async function wasApprovedBy(on: Executor, campaignId: string, id: string, userId: string): Promise<boolean> {
  const found = await row(
    sql`select 1 from planned_sends where id = ${id} and campaign_id = ${campaignId} and status = 'approved'
      and decided_by = ${userId}`,
    on,
  );
  return found !== undefined;
}

/** Returns the e-mail addresses of those who may send at a site, without `userId`. */
export async function otherSenders(on: Executor, siteId: string, userId: string): Promise<string[]> {
  const others = await rows(
    sql<{ email: string }>`select u.email from site_members m join users u on u.id = m.user_id
      where m.site_id = ${siteId} and m.role in ('editor', 'owner') and m.user_id <> ${userId} order by m.member_id`,
    on,
  );
  return others.map(({ email }) => email);
}
