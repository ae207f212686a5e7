import { sql } from "kysely";
import { type Executor, rows, type Tx } from "../../db/pool.ts";
import type { WantedAudience } from "../../runs/audience.ts";
import { readAudience } from "../audience.ts";
import type { CampaignRecord } from "../campaign.ts";

/**
 * `atMs`: when a campaign goes out, ms since 1970; null: now. With local-time delivery that is when it is that hour at
 * the site, here and below.
 */
const timeOf = (atMs: number | null) =>
  atMs === null ? sql`now()` : sql`to_timestamp(${atMs}::float8 / 1000)::timestamptz`;

/**
 * Longer than the hour that counts, with the longest GRACE_MINUTES, for which a pause can delay a campaign that is due.
 */
const keptDays = 8;

/** Records that a member alone decides to send or schedule a campaign. Deletes their rows that count no more. */
export async function upsertUnapprovedSend(
  tx: Tx,
  { campaignId, siteId, userId, atMs }: { campaignId: string; siteId: string; userId: string; atMs: number | null },
): Promise<void> {
  await sql`insert into unapproved_sends (campaign_id, site_id, user_id, send_at)
    values (${campaignId}, ${siteId}, ${userId}, ${timeOf(atMs)})
    on conflict (campaign_id) do update set user_id = excluded.user_id, send_at = excluded.send_at`.execute(tx);
  await sql`delete from unapproved_sends where site_id = ${siteId} and user_id = ${userId}
    and send_at < now() - make_interval(days => ${keptDays})`.execute(tx);
}

/** Deletes the record of a campaign that a second person has approved. */
export async function deleteUnapprovedSend(tx: Tx, campaignId: string): Promise<void> {
  await sql`delete from unapproved_sends where campaign_id = ${campaignId}`.execute(tx);
}

/**
 * The audience of each campaign that a member alone sends at a site less than an hour before or after `atMs`. A
 * campaign that was cancelled or has failed does not count; one that a pause has delayed counts when it went out, and
 * has the audience of its run.
 */
export async function audiencesOfUnapprovedSends(
  on: Executor,
  { siteId, userId, atMs }: { siteId: string; userId: string; atMs: number | null },
): Promise<WantedAudience[]> {
  const found = await rows(
    sql<UnapprovedSend>`select c.tenant_id as "tenantId", c.site_id as "siteId", c.topic_ids as "topicIds", c.corrects,
        c.segment_id as segment, r.audience as "sentTo"
      from unapproved_sends l
        join campaigns c on c.site_id = l.site_id and c.id = l.campaign_id
        left join runs r on r.site_id = c.site_id and r.campaign_id = c.id and r.kind = 'live'
      where l.site_id = ${siteId} and l.user_id = ${userId} and c.status in ('scheduled', 'started')
        and abs(extract(epoch from coalesce(r.counts_at, l.send_at) - ${timeOf(atMs)})) < 3600`,
    on,
  );
  const audiences: WantedAudience[] = [];
  for (const send of found) audiences.push(send.sentTo ?? (await readAudience(on, send)));
  return audiences;
}

type UnapprovedSend = Pick<CampaignRecord, "tenantId" | "siteId" | "topicIds" | "corrects" | "segment"> & {
  /** Null: it was not sent yet. */
  sentTo: WantedAudience | null;
};
