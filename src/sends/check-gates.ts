import type { App } from "../app.ts";
import type { CampaignAudience } from "../campaigns/audience.ts";
import type { Tx } from "../db/pool.ts";
import type { AppError } from "../errors.ts";
import { countAudienceOf } from "../runs/audience.ts";
import { type CapCount, capOf, countAtMost, countBelowCap, isCountOf } from "./cap-count.ts";
import { classLeft, lockClass, type OfClass } from "./class-rules.ts";
import { gateFactsOfSite } from "./gate-queries.ts";
import { shutGates } from "./gates.ts";

/**
 * Checks all gates of a campaign by the facts of this moment. Returns the refusals of the shut gates, and the audience,
 * counted up to `countAtMost + 1`. `to`: see readAudience. `capCount`: the count for the plan's cap from before the
 * lock of the campaign. If it is missing or counts another audience, the audience is counted here. `campaign`: the
 * campaign whose class rules apply; absent if none apply.
 */
export async function checkGates(
  app: App,
  tx: Tx,
  to: CampaignAudience,
  { capCount, campaign }: { capCount?: CapCount | undefined; campaign?: OfClass } = {},
): Promise<{ refusals: AppError[]; audience: number }> {
  const facts = (await gateFactsOfSite(tx, to.siteId))!;
  const planExists = Object.hasOwn(app.config.PLANS, facts.plan);
  const audienceCap = capOf(app, facts.plan);
  const audience = await countAudienceOf(tx, to, countAtMost + 1);
  const isBelow = audienceCap === undefined || audience <= Math.min(audienceCap, countAtMost);
  const counted = isCountOf(capCount, to) ? capCount.audience : undefined;
  const limited = isBelow ? audience : (counted ?? (await countBelowCap(tx, to, audienceCap)));
  if (campaign !== undefined) await lockClass(tx, campaign);
  const left = campaign === undefined ? null : await classLeft(tx, campaign);
  return { refusals: shutGates({ ...facts, planExists, audience: limited, audienceCap, classLeft: left }), audience };
}

/**
 * Returns the refusals of the gates that would be shut for `campaign` now, without any lock. `countBelow`: counts its
 * audience as `countBelowCap` does, if the plan has a cap.
 */
export async function shutGatesOf(
  app: App,
  campaign: OfClass,
  countBelow: (audienceCap: number) => Promise<number>,
): Promise<AppError[]> {
  const facts = (await gateFactsOfSite(app.db, campaign.siteId))!;
  const planExists = Object.hasOwn(app.config.PLANS, facts.plan);
  const audienceCap = capOf(app, facts.plan);
  const audience = audienceCap === undefined ? 0 : await countBelow(audienceCap);
  const left = await classLeft(app.db, campaign);
  return shutGates({ ...facts, planExists, audience, audienceCap, classLeft: left });
}

/** Throws the first refusal if a gate is shut. Returns the audience, counted as checkGates counts it. */
export async function assertGatesOpen(
  app: App,
  tx: Tx,
  to: CampaignAudience,
  capCount: CapCount | undefined,
): Promise<number> {
  const { refusals, audience } = await checkGates(app, tx, to, { capCount });
  if (refusals[0] !== undefined) throw refusals[0];
  return audience;
}
