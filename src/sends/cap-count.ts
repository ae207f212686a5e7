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

/** Answers show the exact audience up to this number. A full count would take seconds for ten million subscribers. */
export const countAtMost = 10_000;

/**
 * An audience as answers show it. `audienceExact` false: the real audience is larger than `audience`. The run has the
 * exact number once it is planned.
 */
export type ShownAudience = { audience: number; audienceExact: boolean };

/** Returns an audience as answers show it. `counted`: the audience, counted up to `countAtMost + 1`. */
export function shownAudience(counted: number): ShownAudience {
  return { audience: Math.min(counted, countAtMost), audienceExact: counted <= countAtMost };
}

/**
 * An audience as the plan's cap counts it, up to the cap plus one. Counting millions takes seconds, so the count
 * comes before the lock of the campaign. `of`: the counted audience, as a text.
 */
export type CapCount = { of: string; audience: number };

function nameOf({ corrected: _, ...to }: CampaignAudience): string {
  return JSON.stringify(to);
}

/** Returns whether `count` belongs to the audience `to`. The campaign's audience may have changed since the count. */
export function isCountOf(count: CapCount | undefined, to: CampaignAudience): count is CapCount {
  return count?.of === nameOf(to);
}

/** Returns the most readers that `plan` allows; undefined if the plan has no cap or does not exist. */
export function capOf({ config: { PLANS } }: App, plan: string): number | undefined {
  return Object.hasOwn(PLANS, plan) ? PLANS[plan]!.audienceCap : undefined;
}

/**
 * Returns the audience of a campaign as the cap of its plan counts it, without a lock. Undefined if checkGates needs no
 * such count: the campaign does not exist or can no longer be sent, or the count that an answer shows is enough.
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
 * Returns the size of an audience, counted up to `audienceCap` plus one. Only proven subscribers exceed the cap,
 * because strangers can register.
 */
export async function countBelowCap(on: Executor, to: CampaignAudience, audienceCap: number): Promise<number> {
  const audience = await countAudienceOf(on, to, audienceCap + 1);
  return audience <= audienceCap ? audience : countProvenAudienceOf(on, to, audienceCap + 1);
}

/**
 * Locks a campaign and runs `work` with it in one transaction, as withCampaign does. It counts for the plan's cap
 * before the lock, so that a stop or a change of the campaign need not wait while millions are counted.
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
