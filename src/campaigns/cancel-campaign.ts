import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant } from "../db/database.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { type CampaignView, viewCampaign } from "./campaign.ts";
import { illegalMove } from "./illegal-move.ts";
import { campaignOfTenant, lockCampaign, moveCampaign } from "./queries.ts";

/**
 * Cancels a draft or a scheduled campaign for good: a schedule that fires at the same moment has won or is undone.
 * Returns the campaign. Throws `not_found` and `illegal_transition`.
 */
export async function cancelCampaign(app: App, actor: Actor, input: { campaignId: string }): Promise<CampaignView> {
  if (!isId(input.campaignId)) throw appError("not_found");
  return inTenant(app.db, actor.tenantId, async (tx) => {
    if (!(await lockCampaign(tx, actor.tenantId, input.campaignId))) throw appError("not_found");
    const campaign = (await campaignOfTenant(tx, actor.tenantId, input.campaignId))!;
    if (!(await moveCampaign(tx, campaign, "cancelled"))) {
      throw illegalMove(campaign, { to: "cancelled", done: "cancelled" });
    }
    return viewCampaign((await campaignOfTenant(tx, actor.tenantId, input.campaignId))!);
  });
}
