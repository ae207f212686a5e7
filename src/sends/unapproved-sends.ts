import { sql } from "kysely";
import { readAudience } from "../campaigns/audience.ts";
import type { CampaignRecord } from "../campaigns/campaign.ts";
import { type Executor, rows } from "../db/pool.ts";
import type { WantedAudience } from "../runs/audience.ts";

/**
 * `atMs`: when a campaign goes out, ms since 1970; null: now. With local-time delivery that is when it is that hour at
 * the site, here and below.
 */
const timeOf = (atMs: number | null) =>
  atMs === null ? sql`now()` : sql`to_timestamp(${atMs}::float8 / 1000)::timestamptz`;

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
      from planned_sends p join campaigns c on c.site_id = p.site_id and c.id = p.campaign_id
        left join runs r on r.site_id = c.site_id and r.campaign_id = c.id and r.kind = 'live'
      where p.site_id = ${siteId} and p.user_id = ${userId} and p.is_unapproved and p.status in ('waiting', 'sent')
        and abs(extract(epoch from coalesce(r.counts_at, p.late_from, p.starts_at) - ${timeOf(atMs)})) < 3600`,
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
