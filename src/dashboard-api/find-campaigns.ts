import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { CampaignView } from "../campaigns/campaign.ts";
import { listCampaigns } from "../campaigns/read-campaigns.ts";
import { invalidFields } from "../errors.ts";
import { figuresOfRuns } from "./reports/queries.ts";
import { type Figures, viewFigures } from "./reports/view-figures.ts";

/** A campaign with the figures of its live run; null if it has none. */
export type CampaignRow = CampaignView & { run: Figures | null };

const maxSearchLength = 200;

/**
 * Returns a page of campaigns as /v1 lists them, each with the figures of its run. `query`: the parameters of /v1, and
 * `search`, a part of the title or the URL. Throws `validation_failed`.
 */
export async function findCampaigns(
  app: App,
  actor: Actor,
  input: { query: unknown },
): Promise<{ data: CampaignRow[]; nextCursor: string | null }> {
  const { search, ...query } = (input.query ?? {}) as Record<string, unknown>;
  if (search !== undefined && (typeof search !== "string" || search.length > maxSearchLength)) {
    throw invalidFields([{ path: "/search", message: `must be a text of at most ${maxSearchLength} characters` }]);
  }
  const { data, nextCursor } = await listCampaigns(app, actor, { query, search: search || undefined });
  return { data: await addFigures(app, actor, data), nextCursor };
}

/** Adds the figures of their live runs to campaigns. */
export async function addFigures(app: App, actor: Actor, campaigns: CampaignView[]): Promise<CampaignRow[]> {
  const runIds = campaigns.flatMap(({ runId }) => (runId === null ? [] : [runId]));
  const found = runIds.length === 0 ? [] : await figuresOfRuns(app.db, actor.tenantId, runIds);
  const byId = new Map(found.map((run) => [run.runId, viewFigures(run)]));
  return campaigns.map((campaign) => ({ ...campaign, run: byId.get(campaign.runId ?? "") ?? null }));
}
