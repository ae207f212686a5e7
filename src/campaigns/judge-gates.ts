import type { App } from "../app.ts";
import type { Tx } from "../db/pool.ts";
import type { AppError } from "../errors.ts";
import type { CampaignRecord } from "./campaign.ts";
import { countAudienceOf, countProvenAudienceOf } from "./correction.ts";
import { gateFactsOfSite } from "./gate-queries.ts";
import { shutGates } from "./gates.ts";
import type { CorrectedRun } from "./queries.ts";

/** An answer shows the exact audience at most to here. A full count would cost seconds for ten million subscribers. */
export const countAtMost = 10_000;

/**
 * Judges all gates of a campaign by the facts of this moment. Returns the refusals of the shut ones, and the audience,
 * counted at most to one more than an answer (`countAtMost`) or the plan's cap needs. `corrected`: see readCorrectedRun.
 */
export async function judgeGates(
  app: App,
  tx: Tx,
  campaign: Pick<CampaignRecord, "siteId" | "topicIds">,
  corrected: CorrectedRun | undefined,
): Promise<{ refusals: AppError[]; audience: number }> {
  const facts = (await gateFactsOfSite(tx, campaign.siteId))!;
  const planExists = Object.hasOwn(app.config.PLANS, facts.plan);
  const audienceCap = planExists ? app.config.PLANS[facts.plan]!.audienceCap : undefined;
  const limit = Math.max(countAtMost, audienceCap ?? 0) + 1;
  const audience = await countAudienceOf(tx, campaign, corrected, limit);
  // A stranger can register subscribers at will: only proven ones may shut the gate.
  const capped =
    audienceCap === undefined || audience <= audienceCap
      ? audience
      : await countProvenAudienceOf(tx, campaign, corrected, audienceCap + 1);
  return { refusals: shutGates({ ...facts, planExists, audience: capped, audienceCap }), audience };
}

/** Throws the first refusal if a gate is shut. Returns the audience, counted as judgeGates counts it. */
export async function assertGatesOpen(
  app: App,
  tx: Tx,
  campaign: CampaignRecord,
  corrected: CorrectedRun | undefined,
): Promise<number> {
  const { refusals, audience } = await judgeGates(app, tx, campaign, corrected);
  if (refusals[0] !== undefined) throw refusals[0];
  return audience;
}
