import { sql } from "kysely";
import type { Actor, Member } from "../actor.ts";
import { type CampaignAudience, readAudience } from "../campaigns/audience.ts";
import type { CampaignRecord } from "../campaigns/campaign.ts";
import { isSendable } from "../campaigns/states.ts";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import { type AppError, appError } from "../errors.ts";
import { countProvenAudienceOf, countProvenOfAny, type SiteAudience, type WantedAudience } from "../runs/audience.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { assertMaySendClass } from "./class-rules.ts";
import { sendMessages } from "./messages.ts";

/**
 * Refuses a member's send or schedule that would reach too many people without a second person. It counts the proven
 * subscribers that the member alone reaches within an hour, and compares them with the tenant's `confirmAbove`.
 * `atMs`: the time of a schedule, ms since 1970 (with local-time delivery, that time at the site), or null for an
 * immediate send. Returns whether to record the planned send as unapproved, so that it counts in later checks. The
 * limit holds for members only, because API keys, feeds and the scheduler act without a person. Also refuses members
 * and API keys that may not send the class of the campaign. Throws `class_not_allowed` and `confirmation_required`.
 */
export async function checkSecondPerson(
  tx: Tx,
  actor: Actor,
  campaign: CampaignRecord,
  { to, atMs }: { to: CampaignAudience; atMs: number | null },
): Promise<boolean> {
  if (!isSendable(campaign.status)) return false;
  await assertMaySendClass(tx, actor, campaign);
  if (actor.kind !== "user") return false;
  const confirmAbove = await confirmAboveOf(tx, actor.tenantId);
  if (confirmAbove === null) return false;
  const refusal = await refusalOfAlone(tx, actor, to, { atMs, confirmAbove });
  if (refusal !== undefined) throw refusal;
  return true;
}

/**
 * Checks a due schedule that a member decided alone once more. Its audience is known now, and may have grown.
 * `userId`: null if the member's account is deleted. `atMs`: the scheduled time, ms since 1970. Returns the refusal,
 * if there is one.
 */
export async function refusalOfGrown(
  tx: Tx,
  { tenantId, userId }: Decider,
  to: CampaignAudience,
  atMs: number,
): Promise<AppError | undefined> {
  const confirmAbove = await confirmAboveOf(tx, tenantId);
  if (confirmAbove === null) return undefined;
  const refusal = await refusalOfAlone(tx, { tenantId, userId }, to, { atMs, confirmAbove });
  return refusal && appError("confirmation_required", { message: sendMessages.audience_grown(), confirmAbove });
}

type Decider = { tenantId: string; userId: string | null };

async function refusalOfAlone(
  tx: Tx,
  { tenantId, userId }: Decider,
  to: CampaignAudience,
  { atMs, confirmAbove }: { atMs: number | null; confirmAbove: number },
): Promise<AppError | undefined> {
  const limit = confirmAbove + 1;
  const audience = await countProvenAudienceOf(tx, largest(to), limit);
  if (audience > confirmAbove) return appError("confirmation_required", { confirmAbove });
  if (userId === null) return undefined;
  // If one member sends twice at the same time, the second send counts the first.
  await lockMember(tx, { tenantId, userId });
  const together = (await countReachedJointly(tx, { tenantId, userId }, to, { atMs, limit })) ?? 0;
  if (together <= confirmAbove) return undefined;
  return appError("confirmation_required", { message: jointMessage, confirmAbove });
}

/**
 * Returns the largest audience that a send may have. It is all readers if the site cannot tell who is in the segment.
 */
function largest<A extends WantedAudience>(to: A): A {
  const isUnknown = to.of === "readers" && to.segment !== null && "isEmpty" in to.segment;
  return isUnknown ? { ...to, segment: null } : to;
}

/**
 * Refuses a member's send that goes to more proven subscribers than the tenant lets one person decide on. It is for
 * updates of a sent notification, and for other sends that cannot ask a second person. `message`: the text of the
 * refusal; by default the text for updates. Throws `confirmation_required`.
 */
export async function assertOnePersonDecides(
  tx: Tx,
  actor: Actor,
  to: CampaignAudience,
  message = updateMessage,
): Promise<void> {
  const confirmAbove = actor.kind === "user" ? await confirmAboveOf(tx, actor.tenantId) : null;
  if (confirmAbove === null) return;
  const audience = await countProvenAudienceOf(tx, to, confirmAbove + 1);
  if (audience > confirmAbove) throw appError("confirmation_required", { message, confirmAbove });
}

const updateMessage =
  "This goes to more people than one person may decide on, and an update cannot wait for a second person's yes. Send a " +
  "correction.";

const jointMessage =
  "With what you send within an hour of it, this goes to more people than one person may decide on. Ask for a second " +
  "person's yes.";

/**
 * Returns how many proven subscribers a member alone reaches with a campaign and with everything else that they send
 * alone at sites of the tenant within an hour before or after it. Counts up to `limit`, and each subscriber once. The
 * content does not matter, because two campaigns with different texts and addresses may be one. Returns undefined if
 * nothing else is sent.
 */
export async function countReachedJointly(
  on: Executor,
  { tenantId, userId }: Pick<Member, "tenantId" | "userId">,
  to: CampaignAudience,
  { atMs, limit }: { atMs: number | null; limit: number },
): Promise<number | undefined> {
  const others = await audiencesOfUnapprovedSends(on, { tenantId, userId, atMs });
  if (others.length === 0) return undefined;
  const bySite = Object.groupBy([largest<SiteAudience>(to), ...others], ({ siteId }) => siteId);
  let reached = 0;
  for (const [siteId, audiences] of Object.entries(bySite)) {
    if (reached < limit) reached += await countProvenOfAny(on, siteId, audiences!, limit - reached);
  }
  return reached;
}

/**
 * Returns SQL: the time of a campaign. `atMs`: ms since 1970; null for now. With local-time delivery, it is that time
 * at the site. The same holds for `atMs` below.
 */
const timeOf = (atMs: number | null) =>
  atMs === null ? sql`now()` : sql`to_timestamp(${atMs}::float8 / 1000)::timestamptz`;

/**
 * Returns the audience of each campaign that a member alone sends less than an hour before or after `atMs`.
 * Cancelled and failed campaigns do not count. A campaign that a pause has delayed counts at the time when it was
 * sent, with the audience of its run.
 */
async function audiencesOfUnapprovedSends(
  on: Executor,
  { tenantId, userId, atMs }: { tenantId: string; userId: string; atMs: number | null },
): Promise<SiteAudience[]> {
  const found = await rows(
    sql<UnapprovedSend>`select c.tenant_id as "tenantId", c.site_id as "siteId", c.topic_ids as "topicIds", c.corrects,
        c.segment_id as segment, c.followers_of as "followersOf", r.audience as "sentTo"
      from planned_sends p join campaigns c on c.site_id = p.site_id and c.id = p.campaign_id
        left join runs r on r.site_id = c.site_id and r.campaign_id = c.id and ${sendsCampaign("r")}
      where c.tenant_id = ${tenantId} and p.user_id = ${userId} and p.is_unapproved and p.status in ('waiting', 'sent')
        and abs(extract(epoch from coalesce(r.counts_at, p.late_from, p.starts_at) - ${timeOf(atMs)})) < 3600`,
    on,
  );
  const audiences: SiteAudience[] = [];
  for (const send of found)
    audiences.push({ ...(send.sentTo ?? largest(await readAudience(on, send))), siteId: send.siteId });
  return audiences;
}

type UnapprovedSend = Pick<
  CampaignRecord,
  "tenantId" | "siteId" | "topicIds" | "corrects" | "segment" | "followersOf"
> & {
  /** The audience of the run. Null if the campaign was not sent yet. */
  sentTo: WantedAudience | null;
};

/**
 * Returns the largest audience to which a member of the tenant may send without a second person; null if
 * there is no limit.
 */
export async function confirmAboveOf(on: Executor, tenantId: string): Promise<number | null> {
  const found = await row(
    sql<{ confirmAbove: number | null }>`select confirm_above as "confirmAbove" from tenants where id = ${tenantId}`,
    on,
  );
  return found?.confirmAbove ?? null;
}

/** Locks a membership until the transaction ends, so that a member's sends are checked one after the other. */
async function lockMember(tx: Tx, { tenantId, userId }: Pick<Member, "tenantId" | "userId">): Promise<void> {
  await sql`select from members where tenant_id = ${tenantId} and user_id = ${userId} for no key update`.execute(tx);
}
