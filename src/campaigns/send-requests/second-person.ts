import type { Actor } from "../../actor.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import type { CampaignRecord } from "../campaign.ts";
import { countAudienceOf } from "../correction.ts";
import { confirmAboveOf } from "./queries.ts";

/**
 * Refuses what one person alone may not send: a member's send, or schedule, to more people than the tenant lets one
 * decide on. API keys, feeds and the schedule itself are not judged: no person sits there. Throws
 * `confirmation_required`.
 */
export async function judgeSecondPerson(tx: Tx, actor: Actor, campaign: CampaignRecord): Promise<void> {
  if (actor.kind !== "user" || (campaign.status !== "draft" && campaign.status !== "scheduled")) return;
  const confirmAbove = await confirmAboveOf(tx, actor.tenantId);
  if (confirmAbove === null) return;
  const audience = await countAudienceOf(tx, campaign, confirmAbove + 1);
  if (audience > confirmAbove) throw appError("confirmation_required", { confirmAbove });
}
