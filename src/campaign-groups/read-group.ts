import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { viewCampaign } from "../campaigns/campaign.ts";
import { addFigures, type CampaignRow } from "../dashboard-api/find-campaigns.ts";
import type { Figures } from "../dashboard-api/reports/view-figures.ts";
import { readCampaignsOf } from "./campaigns-of-group.ts";

/** The figures of all runs of a group together. */
export type Totals = Omit<Figures, "runId" | "status" | "startedAt" | "finishedAt">;

/**
 * A group: its campaigns in the order of their creation, with the figures of their runs, and the sums of the figures.
 */
export type GroupView = { groupId: string; campaigns: CampaignRow[]; totals: Totals };

/** Returns the group with this id. Throws `not_found`, even for an id of another tenant. */
export async function readGroup(app: App, actor: Actor, input: { groupId: string }): Promise<GroupView> {
  const records = await readCampaignsOf(app, actor, input.groupId);
  const campaigns = await addFigures(
    app,
    actor,
    records.map((record) => viewCampaign(record)),
  );
  return { groupId: records[0]!.groupId!, campaigns, totals: totalsOf(campaigns) };
}

const noFigures: Totals = {
  audience: 0,
  pending: 0,
  accepted: 0,
  gone: 0,
  failed: 0,
  expired: 0,
  notSent: 0,
  unknown: 0,
  reporting: 0,
  displayed: 0,
  clicked: 0,
  dismissed: 0,
  unsubscribed: 0,
};
const names = Object.keys(noFigures) as (keyof Totals)[];

function totalsOf(campaigns: CampaignRow[]): Totals {
  const runs = campaigns.flatMap(({ run }) => run ?? []);
  const sums = names.map((name) => [name, runs.reduce((sum, run) => sum + run[name], 0)]);
  return Object.fromEntries(sums) as Totals;
}
