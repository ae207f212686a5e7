import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";
import type { RunStatus } from "../../runs/states.ts";

/** An update of a campaign's nudge: its run, and the text that it brought. */
export type Update = {
  runId: string;
  title: string;
  body: string;
  imageUrl: string | null;
  status: RunStatus;
  expectedAudience: number;
  createdAt: Date;
};

/** The last `limit` updates of a campaign's nudge, newest first. */
export function updatesOfCampaign(
  on: Executor,
  campaign: { siteId: string; id: string },
  limit: number,
): Promise<Update[]> {
  return rows(
    sql<Update>`select id as "runId", message->>'title' as title, message->>'body' as body, message->>'imageUrl' as "imageUrl",
        status, expected_audience as "expectedAudience", created_at as "createdAt"
      from runs where site_id = ${campaign.siteId} and campaign_id = ${campaign.id} and kind = 'update'
      order by id desc limit ${limit}`,
    on,
  );
}

/** How old a run is by the database's clock, in days. */
export async function ageOfRun(on: Executor, run: { siteId: string; runId: string }): Promise<number> {
  const found = await row(
    sql<{ days: number }>`select extract(epoch from now() - created_at)::float8 / 86400 as days from runs
      where site_id = ${run.siteId} and id = ${run.runId}`,
    on,
  );
  return found!.days;
}
