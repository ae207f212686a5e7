import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { type CampaignView, illegalMove, viewCampaign } from "../campaigns/campaign.ts";
import { campaignOfTenant, moveCampaign } from "../campaigns/queries.ts";
import { withCampaign } from "../campaigns/with-campaign.ts";
import { endWaiting } from "./planned-send-queries.ts";

/**
 * Cancels a draft or a scheduled campaign; this is final. If the campaign is due at the same moment, it is either sent
 * or cancelled, never both. Returns the campaign. Throws `not_found` and `illegal_transition`.
 */
export async function cancelCampaign(app: App, actor: Actor, input: { campaignId: string }): Promise<CampaignView> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    if (!(await moveCampaign(tx, campaign, { to: "cancelled" }))) {
      throw illegalMove(campaign, { to: "cancelled", done: "cancelled" });
    }
    await endWaiting(tx, campaign.id, { status: "withdrawn" });
    await recordAuditEvent(tx, actor, "campaign.cancelled", { siteId: campaign.siteId, subjectId: campaign.id });
    return viewCampaign((await campaignOfTenant(tx, actor.tenantId, campaign.id))!);
  });
}
