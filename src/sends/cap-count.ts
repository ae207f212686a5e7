import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { type CampaignAudience, readAudience } from "../campaigns/audience.ts";
import type { CampaignRecord } from "../campaigns/campaign.ts";
import { campaignOfTenant } from "../campaigns/queries.ts";
import { isSendable } from "../campaigns/states.ts";
import { withCampaign } from "../campaigns/with-campaign.ts";
import type { Executor, Tx } from "../db/pool.ts";
import { isId } from "../ids.ts";
import { countAudienceOf, countProvenAudienceOf } from "../runs/audience.ts";
import { gateFactsOfSite } from "./gate-queries.ts";

/** An answer shows the exact audience at most to here. A full count would cost seconds for ten million subscribers. */
export const countAtMost = 10_000;

/** `audienceExact` false: the audience is larger than `audience`. The run has the exact number once it is planned. */
export type ShownAudience = { audience: number; audienceExact: boolean };

/** An audience that was counted at most to `countAtMost + 1`, as answers show it. */
export function shownAudience(counted: number): ShownAudience {
  return { audience: Math.min(counted, countAtMost), audienceExact: counted <= countAtMost };
}

/**
 * An audience as the plan's cap counts it, at most to one more than the cap. Counting millions takes seconds, so it is
 * done before the campaign is locked. `of`: the audience that was counted.
 */
export type CapCount = { of: string; audience: number };

function nameOf({ corrected: _, ...to }: CampaignAudience): string {
  return JSON.stringify(to);
}

/** Whether `count` is of the audience `to`: that of the campaign may have changed since. */
export function isCountOf(count: CapCount | undefined, to: CampaignAudience): count is CapCount {
  return count?.of === nameOf(to);
}

/** Returns the most readers that `plan` allows; undefined: any number, or no such plan. */
export function capOf({ config: { PLANS } }: App, plan: string): number | undefined {
  return Object.hasOwn(PLANS, plan) ? PLANS[plan]!.audienceCap : undefined;
}

/**
 * Counts the audience of a campaign for the cap of its plan, without a lock. Undefined where checkGates needs no such
 * count: there is no such campaign, it cannot be sent any more, or what an answer shows is enough to check it.
 */
export async function countForCap(app: App, tenantId: string, campaignId: string): Promise<CapCount | undefined> {
  const isLarge = ({ audienceCap = 0 }) => audienceCap > countAtMost;
  if (!Object.values(app.config.PLANS).some(isLarge) || !isId(campaignId)) return undefined;
  const campaign = await campaignOfTenant(app.db, tenantId, campaignId);
  if (campaign === undefined || !isSendable(campaign.status)) return undefined;
  const { plan } = (await gateFactsOfSite(app.db, campaign.siteId))!;
  const audienceCap = capOf(app, plan);
  if (audienceCap === undefined || audienceCap <= countAtMost) return undefined;
  const to = await readAudience(app.db, campaign);
  return { of: nameOf(to), audience: await countBelowCap(app.db, to, audienceCap) };
}

/**
 * Counts an audience at most to one more than `audienceCap`. Only proven subscribers exceed it: strangers can register.
 */
export async function countBelowCap(on: Executor, to: CampaignAudience, audienceCap: number): Promise<number> {
  const audience = await countAudienceOf(on, to, audienceCap + 1);
  return audience <= audienceCap ? audience : countProvenAudienceOf(on, to, audienceCap + 1);
}

/**
 * Locks a campaign and runs `work` with it in one transaction, as withCampaign does. Gives it what was counted for the
 * plan's cap before the lock: a stop or a change of the campaign need not wait while millions are counted.
 */
export async function withCountedCampaign<T>(
  app: App,
  actor: Actor,
  campaignId: string,
  work: (tx: Tx, campaign: CampaignRecord, capCount: CapCount | undefined) => Promise<T>,
): Promise<T> {
  const capCount = await countForCap(app, actor.tenantId, campaignId);
  return withCampaign(app, actor, campaignId, (tx, campaign) => work(tx, campaign, capCount));
}
