import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { type CampaignView, viewCampaign } from "./campaign.ts";
import { campaignOfTenant } from "./queries.ts";

/** The campaign with this id, if it is the actor's tenant's. Throws `not_found`. */
export async function readCampaign(app: App, actor: Actor, input: { campaignId: string }): Promise<CampaignView> {
  if (!isId(input.campaignId)) throw appError("not_found");
  const read = (tx: Tx) => campaignOfTenant(tx, actor.tenantId, input.campaignId);
  const record = await inTenant(app.db, actor.tenantId, read);
  if (record === undefined) throw appError("not_found");
  return viewCampaign(record);
}
