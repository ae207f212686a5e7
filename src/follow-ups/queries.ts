import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import { hasEffect } from "../runs/effect.ts";
import { isUpdate } from "../runs/kinds.ts";
import { messageOf } from "../runs/queries.ts";
import type { RunStatus } from "../runs/states.ts";

/** An update of a campaign's notification: its run, and its text. */
export type Update = {
  runId: string;
  title: string;
  body: string;
  imageUrl: string | null;
  status: RunStatus;
  expectedAudience: number;
  createdAt: Date;
  /** The time left to undo it, ms. Null if it is being sent, was sent or was stopped. */
  startsInMs: number | null;
};

const updates = sql`select r.id as "runId", ${messageOf("r")}->>'title' as title, ${messageOf("r")}->>'body' as body,
    ${messageOf("r")}->>'imageUrl' as "imageUrl", r.status, r.expected_audience as "expectedAudience",
    r.created_at as "createdAt", case when r.status = 'queued' and r.plan_from > now()
      then ceil(extract(epoch from r.plan_from - now()) * 1000)::float8 end as "startsInMs"
  from runs r`;

const ofCampaign = (campaign: { siteId: string; id: string }) =>
  sql`r.site_id = ${campaign.siteId} and r.campaign_id = ${campaign.id} and ${isUpdate("r")}`;

/** Returns the last `limit` updates of a campaign's notification, newest first. */
export function updatesOfCampaign(
  on: Executor,
  campaign: { siteId: string; id: string },
  limit: number,
): Promise<Update[]> {
  return rows(sql<Update>`${updates} where ${ofCampaign(campaign)} order by r.sequence desc limit ${limit}`, on);
}

/**
 * Returns the last update of a campaign's notification that is being sent or has reached somebody. Returns undefined
 * if there is none.
 */
export function lastUpdateOf(on: Executor, campaign: { siteId: string; id: string }): Promise<Update | undefined> {
  return row(
    sql<Update>`${updates} where ${ofCampaign(campaign)} and ${hasEffect("r")} order by r.sequence desc limit 1`,
    on,
  );
}

/** Returns the age of a run by the database's clock, in days. */
export async function ageOfRun(on: Executor, run: { siteId: string; runId: string }): Promise<number> {
  const found = await row(
    sql<{ days: number }>`select extract(epoch from now() - created_at)::float8 / 86400 as days from runs
      where site_id = ${run.siteId} and id = ${run.runId}`,
    on,
  );
  return found!.days;
}
