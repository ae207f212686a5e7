import type { Actor } from "../../actor.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import type { CampaignRecord } from "../campaign.ts";
import { countProvenAudienceOf } from "../correction.ts";
import type { CorrectedRun } from "../queries.ts";
import { isSendable } from "../states.ts";
import { confirmAboveOf } from "./queries.ts";

/**
 * Refuses a member's send or schedule to more proven subscribers than the tenant lets one person decide on
 * (`confirmAbove`). Judges members only: API keys, feeds and the scheduler act without a person. Throws
 * `confirmation_required`.
 */
export async function assertNoSecondPersonNeeded(
  tx: Tx,
  actor: Actor,
  campaign: CampaignRecord,
  corrected: CorrectedRun | undefined,
): Promise<void> {
  if (actor.kind !== "user" || !isSendable(campaign.status)) return;
  const confirmAbove = await confirmAboveOf(tx, actor.tenantId);
  if (confirmAbove === null) return;
  const audience = await countProvenAudienceOf(tx, campaign, corrected, confirmAbove + 1);
  if (audience > confirmAbove) throw appError("confirmation_required", { confirmAbove });
}
