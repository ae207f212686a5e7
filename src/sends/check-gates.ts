import type { App } from "../app.ts";
import type { CampaignAudience } from "../campaigns/audience.ts";
import type { Tx } from "../db/pool.ts";
import type { AppError } from "../errors.ts";
import { countAudienceOf } from "../runs/audience.ts";
import { type CapCount, capOf, countAtMost, countBelowCap, isCountOf } from "./cap-count.ts";
import { classLeft, type OfClass } from "./class-rules.ts";
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
  const left = campaign === undefined ? null : await classLeft(tx, campaign);
  return { refusals: shutGates({ ...facts, planExists, audience: limited, audienceCap, classLeft: left }), audience };
}

/**
 * Returns the refusals of the gates that are shut now, for an audience that was counted already. `proven`: the proven
 * subscribers in it, which decide if it exceeds the plan's cap.
 */
export async function shutGatesOf(
  app: App,
  siteId: string,
  counted: { audience: number; proven: number },
): Promise<AppError[]> {
  const facts = (await gateFactsOfSite(app.db, siteId))!;
  const planExists = Object.hasOwn(app.config.PLANS, facts.plan);
  const audienceCap = capOf(app, facts.plan);
  const { audience, proven } = counted;
  const limited = audienceCap === undefined || audience <= audienceCap ? audience : proven;
  return shutGates({ ...facts, planExists, audience: limited, audienceCap, classLeft: null });
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
