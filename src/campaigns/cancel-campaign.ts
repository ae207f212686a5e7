import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { type CampaignView, viewCampaign } from "./campaign.ts";
import { illegalMove } from "./illegal-move.ts";
import { campaignOfTenant, moveCampaign } from "./queries.ts";
import { withCampaign } from "./with-campaign.ts";

/**
 * Cancels a draft or a scheduled campaign for good: a schedule that fires at the same moment has won or is undone.
 * Returns the campaign. Throws `not_found` and `illegal_transition`.
 */
export async function cancelCampaign(app: App, actor: Actor, input: { campaignId: string }): Promise<CampaignView> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    if (!(await moveCampaign(tx, campaign, "cancelled"))) {
      throw illegalMove(campaign, { to: "cancelled", done: "cancelled" });
    }
    await recordAuditEvent(tx, actor, "campaign.cancelled", { siteId: campaign.siteId, subjectId: campaign.id });
    return viewCampaign((await campaignOfTenant(tx, actor.tenantId, campaign.id))!);
  });
}
