import type { Executor } from "../db/pool.ts";
import type { SiteAudience } from "../runs/audience.ts";
import { freezeSegment } from "../subscribers/segments/queries.ts";
import type { CampaignRecord } from "./campaign.ts";
import { readCorrectedRun } from "./correction.ts";
import { correctionAudience, type ShownRun } from "./thread.ts";

/** The audience of a campaign at this moment. `corrected`: the run that it corrects, if it corrects one. */
export type CampaignAudience = SiteAudience & { corrected?: ShownRun | undefined };

/**
 * Returns the audience of a campaign. A send reads it once, so that the run gets the audience that was counted and
 * checked. If `on` is a transaction, the segment does not change until the transaction ends.
 */
export async function readAudience(
  on: Executor,
  campaign: Pick<CampaignRecord, "tenantId" | "siteId" | "topicIds" | "segment" | "followersOf" | "corrects">,
): Promise<CampaignAudience> {
  const { siteId, topicIds, followersOf } = campaign;
  const corrected = await readCorrectedRun(on, campaign);
  if (corrected !== undefined) return { ...correctionAudience(corrected), siteId, corrected };
  const segment = await freezeSegment(on, siteId, campaign.segment);
  return { of: "readers", topicIds, segment, followersOf, siteId };
}
