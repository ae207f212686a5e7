import type { Executor } from "../db/pool.ts";
import type { FieldFault } from "../errors.ts";
import { countProvenSubscribers, countSubscribers } from "../subscribers/queries.ts";
import type { CampaignRecord } from "./campaign.ts";
import { type CorrectedRun, correctedRun } from "./queries.ts";

/**
 * Judges a new campaign as a correction. Returns what is wrong with it, and the topics it gets: those of the corrected
 * campaign, because it goes to the same audience. No faults for a campaign without `corrects`.
 */
export async function judgeCorrection(
  on: Executor,
  tenantId: string,
  wanted: { siteId: string; topicIds?: string[] | undefined; corrects?: string | undefined },
): Promise<{ faults: FieldFault[]; topicIds: string[] | undefined }> {
  if (wanted.corrects === undefined) return { faults: [], topicIds: wanted.topicIds };
  const corrected = await correctedRun(on, tenantId, wanted.corrects);
  if (corrected === undefined || corrected.siteId !== wanted.siteId || !corrected.isOver) {
    const message = "must be a campaign of this site whose run has ended: stop it first, or wait for its end";
    return { faults: [{ path: "/corrects", message }], topicIds: wanted.topicIds };
  }
  const isOther = wanted.topicIds !== undefined && !sameIds(wanted.topicIds, corrected.topicIds);
  return { faults: isOther ? [otherTopics] : [], topicIds: corrected.topicIds };
}

/** The fault of a change that gives a correction other topics. */
export function faultsOfTopics(campaign: CampaignRecord, topicIds: string[] | undefined): FieldFault[] {
  if (campaign.corrects === null || topicIds === undefined || sameIds(topicIds, campaign.topicIds)) return [];
  return [otherTopics];
}

const otherTopics = {
  path: "/topicIds",
  message: "cannot be others than those of the campaign that is corrected: leave it out",
};

function sameIds(some: string[], others: string[]): boolean {
  return some.toSorted().join() === others.toSorted().join();
}

/** Reads the run that a campaign corrects; undefined if it corrects none. A send reads it once and passes it on. */
export async function readCorrectedRun(
  on: Executor,
  { tenantId, corrects }: Pick<CampaignRecord, "tenantId" | "corrects">,
): Promise<CorrectedRun | undefined> {
  return corrects === null ? undefined : correctedRun(on, tenantId, corrects);
}

/** Counts the audience of a campaign, at most to `limit`. That of a correction ends with the last one of `corrected`. */
export function countAudienceOf(
  on: Executor,
  { siteId, topicIds }: Pick<CampaignRecord, "siteId" | "topicIds">,
  corrected: CorrectedRun | undefined,
  limit: number,
): Promise<number> {
  return countSubscribers(on, siteId, topicIds, limit, corrected?.maxSubscriberId);
}

/** The same without subscribers that are not proven: what a plan's cap and `confirmAbove` count. */
export function countProvenAudienceOf(
  on: Executor,
  { siteId, topicIds }: Pick<CampaignRecord, "siteId" | "topicIds">,
  corrected: CorrectedRun | undefined,
  limit: number,
): Promise<number> {
  return countProvenSubscribers(on, siteId, topicIds, limit, corrected?.maxSubscriberId);
}
