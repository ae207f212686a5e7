import type { App } from "../app.ts";
import type { Tx } from "../db/pool.ts";
import { type AppError, appError } from "../errors.ts";
import type { CampaignRecord } from "./campaign.ts";
import { countAudienceOf } from "./correction.ts";
import { gateFactsOfSite, type SiteGates } from "./queries.ts";

/** The audience is counted for an answer at most to here, so that a send costs the same for ten million readers. */
export const countAtMost = 10_000;

/** What has to hold before a live run starts. `audience` is counted at most to the cap plus one. */
export type GateFacts = SiteGates & {
  /** Whether PLANS names the plan: a setting may have lost it. */
  planExists: boolean;
  audience: number;
  /** Undefined: the plan has no cap. */
  audienceCap: number | undefined;
};

/**
 * The gates that are shut, each as the error to answer with. A site that is gone comes first; the rest of the order is
 * the interface's: agreement, pauses (tenant,
 * then site), billing. A send is refused by the first.
 */
export function shutGates(facts: GateFacts): AppError[] {
  const shut: AppError[] = [];
  if (facts.siteRemoved) shut.push(appError("site_removed"));
  if (!facts.dpaAccepted) shut.push(appError("dpa_required"));
  if (facts.tenantPaused) shut.push(paused("tenant"));
  if (facts.sitePaused) shut.push(paused("site"));
  const billing = judgeBilling(facts);
  return billing === undefined ? shut : [...shut, billing];
}

function paused(scope: "tenant" | "site"): AppError {
  const message = `Sends of this ${scope} are paused. Lift the pause and send again with the same key.`;
  return appError("send_paused", { message, scope });
}

function judgeBilling({ plan, planExists, audience, audienceCap }: GateFacts): AppError | undefined {
  if (!planExists) {
    const message = `PLANS names no plan "${plan}" any more. An operator has to put the tenant on one that it names.`;
    return appError("billing", { message, plan, audience, audienceCap: null });
  }
  if (audienceCap === undefined || audience <= audienceCap) return undefined;
  return appError("billing", { plan, audience, audienceCap });
}

/**
 * Judges the gates of a campaign as they stand at this moment: the one function for the API, the scheduler and feeds.
 * Returns what is shut, and the audience, counted at most to what an answer and the cap need.
 */
export async function judgeGates(
  app: App,
  tx: Tx,
  campaign: Pick<CampaignRecord, "tenantId" | "siteId" | "topicIds" | "corrects">,
): Promise<{ shut: AppError[]; audience: number }> {
  const facts = (await gateFactsOfSite(tx, campaign.siteId))!;
  const planExists = Object.hasOwn(app.config.PLANS, facts.plan);
  const audienceCap = planExists ? app.config.PLANS[facts.plan]!.audienceCap : undefined;
  const limit = Math.max(countAtMost, audienceCap ?? 0) + 1;
  const audience = await countAudienceOf(tx, campaign, limit);
  const counted = audienceCap === undefined ? audience : Math.min(audience, audienceCap + 1);
  return { shut: shutGates({ ...facts, planExists, audience: counted, audienceCap }), audience };
}
