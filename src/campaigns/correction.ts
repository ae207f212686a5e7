import type { Executor } from "../db/pool.ts";
import type { FieldFault } from "../errors.ts";
import { countSubscribers } from "../subscribers/queries.ts";
import type { CampaignRecord } from "./campaign.ts";
import { correctedRun } from "./queries.ts";

/** What a correction takes from the nudge whose place it takes. */
export type Original = {
  siteId: string;
  topicIds: string[];
  /** What replaces it on a screen, and what is still stored for a reader at a push service. */
  tag: string;
  /** Who came later never saw what was wrong. */
  maxSubscriberId: number;
  /** Its run has ended: until then it could be the wrong nudge that comes last. */
  isOver: boolean;
};

/**
 * What is wrong with a campaign as the correction of another, and the topics that it has then: those of the other, for
 * it goes to the same people. Nothing is wrong with one that corrects nothing.
 */
export async function judgeCorrection(
  on: Executor,
  tenantId: string,
  wanted: { siteId: string; topicIds?: string[] | undefined; corrects?: string | undefined },
): Promise<{ faults: FieldFault[]; topicIds: string[] | undefined }> {
  if (wanted.corrects === undefined) return { faults: [], topicIds: wanted.topicIds };
  const original = await correctedRun(on, tenantId, wanted.corrects);
  if (original === undefined || original.siteId !== wanted.siteId || !original.isOver) {
    const message = "must be a campaign of this site whose run has ended: stop it first, or wait for its end";
    return { faults: [{ path: "/corrects", message }], topicIds: wanted.topicIds };
  }
  const isOther = wanted.topicIds !== undefined && !sameIds(wanted.topicIds, original.topicIds);
  return { faults: isOther ? [otherTopics] : [], topicIds: original.topicIds };
}

/** Of a correction the topics stay. */
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

/** How many people a campaign goes to, counted at most to `limit`: a correction to none who came after its original. */
export async function countAudienceOf(
  on: Executor,
  campaign: Pick<CampaignRecord, "tenantId" | "siteId" | "topicIds" | "corrects">,
  limit: number,
): Promise<number> {
  const original =
    campaign.corrects === null ? undefined : await correctedRun(on, campaign.tenantId, campaign.corrects);
  return countSubscribers(on, campaign.siteId, campaign.topicIds, limit, original?.maxSubscriberId);
}
