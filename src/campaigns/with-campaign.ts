import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import type { CampaignRecord } from "./campaign.ts";
import { campaignOfTenant, lockCampaign } from "./queries.ts";

/**
 * Locks a campaign and runs `work` with it in one transaction. Simultaneous calls run one after another, and the
 * campaign does not change meanwhile. Returns what `work` returns. Throws `not_found` for an id that is malformed,
 * unknown or another tenant's.
 */
export async function withCampaign<T>(
  app: App,
  actor: Actor,
  campaignId: string,
  work: (tx: Tx, campaign: CampaignRecord) => Promise<T>,
): Promise<T> {
  if (!isId(campaignId)) throw appError("not_found");
  return inTenant(app.db, actor.tenantId, async (tx) => {
    if (!(await lockCampaign(tx, actor.tenantId, campaignId))) throw appError("not_found");
    return work(tx, (await campaignOfTenant(tx, actor.tenantId, campaignId))!);
  });
}
