import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { type CampaignView, viewCampaign } from "./campaign.ts";
import { campaignOfTenant } from "./queries.ts";

/** The campaign with this id, if it is the actor's tenant's. Throws `not_found`. */
export async function readCampaign(app: App, actor: Actor, input: { campaignId: string }): Promise<CampaignView> {
  const record = isId(input.campaignId) && (await campaignOfTenant(app.db, actor.tenantId, input.campaignId));
  if (!record) throw appError("not_found");
  return viewCampaign(record);
}
