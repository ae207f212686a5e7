import type { App } from "../app.ts";
import type { Executor } from "../db/pool.ts";
import { type AppError, appError, type FieldFault } from "../errors.ts";
import type { Audience } from "../subscribers/audience.ts";
import { countProvenSubscribers, countSubscribers } from "../subscribers/queries.ts";
import { freezeSegment } from "../subscribers/segments/queries.ts";
import type { CampaignRecord } from "./campaign.ts";
import type { CampaignExtras } from "./nudge-extras.ts";
import { type CorrectedRun, correctedRun } from "./queries.ts";

/** What a correction has of the corrected campaign unless it names its own: it takes the place of its nudge. */
const inherited = ["storyId", "badge", "lang", "dir", "silent", "requireInteraction"] as const;

type Inherited = { [Name in (typeof inherited)[number]]?: CampaignExtras[Name] | undefined };
type WantedAudience = { topicIds?: string[] | undefined; segment?: string | undefined };

/**
 * Judges a new campaign as a correction. Returns what is wrong with it, and what it gets of the corrected campaign: topics
 * and segment, because it goes to the same audience, and what it has not named of `inherited`. Neither for a campaign
 * without `corrects`.
 */
export async function judgeCorrection(
  app: App,
  tenantId: string,
  wanted: WantedAudience & Inherited & { siteId: string; corrects?: string | undefined },
): Promise<{ faults: FieldFault[]; given: WantedAudience & Inherited }> {
  if (wanted.corrects === undefined) return { faults: [], given: {} };
  const corrected = await correctedRun(app.db, tenantId, wanted.corrects);
  if (corrected === undefined || corrected.siteId !== wanted.siteId || !corrected.isOver) {
    const message = "must be a campaign of this site whose run has ended: stop it first, or wait for its end";
    return { faults: [{ path: "/corrects", message }], given: {} };
  }
  const faults = faultsOfOthers(corrected, wanted);
  if (refusalOfForgotten(app, corrected) !== undefined) faults.push(readersForgotten);
  const extras = Object.fromEntries(inherited.map((name) => [name, wanted[name] ?? corrected.extras[name]]));
  return { faults, given: { topicIds: corrected.topicIds, segment: corrected.segment ?? "", ...extras } };
}

/**
 * The refusal of a correction at `atMs` (absent: now) whose readers are not stored any more then: those of a segment are the
 * recipients of its corrected run, which are stored for RECIPIENT_DAYS. Without it the correction would reach no reader
 * and count as sent. By the run's end, not only by its mark: its lists are deleted piece by piece, and at a later time will be.
 */
export function refusalOfForgotten(
  { config }: App,
  corrected: CorrectedRun | undefined,
  atMs = corrected?.nowMs ?? 0,
): AppError | undefined {
  if (corrected === undefined || corrected.segment === null) return undefined;
  const knownUntilMs = (corrected.finishedMs ?? atMs) + config.RECIPIENT_DAYS * 86_400_000;
  return corrected.isForgotten || atMs >= knownUntilMs ? appError("readers_forgotten") : undefined;
}

/** Throws the refusal of a correction whose readers are not stored any more at `atMs` (absent: now). */
export function assertReadersKnown(app: App, corrected: CorrectedRun | undefined, atMs?: number): void {
  const refusal = refusalOfForgotten(app, corrected, atMs);
  if (refusal !== undefined) throw refusal;
}

/** The faults of a change that gives a correction another audience. */
export function faultsOfAudience(campaign: CampaignRecord, change: WantedAudience): FieldFault[] {
  return campaign.corrects === null ? [] : faultsOfOthers(campaign, change);
}

function faultsOfOthers(
  { topicIds, segment }: Pick<CampaignRecord, "topicIds" | "segment">,
  wanted: WantedAudience,
): FieldFault[] {
  const hasOtherTopics = wanted.topicIds !== undefined && !sameIds(wanted.topicIds, topicIds);
  const hasOtherSegment = wanted.segment !== undefined && wanted.segment !== (segment ?? "");
  return [...(hasOtherTopics ? [otherTopics] : []), ...(hasOtherSegment ? [otherSegment] : [])];
}

const otherTopics = {
  path: "/topicIds",
  message: "cannot be others than those of the campaign that is corrected: leave it out",
};
const otherSegment = {
  path: "/segment",
  message: "cannot be others than that of the campaign that is corrected: leave it out",
};
const readersForgotten = {
  path: "/corrects",
  message: "has a segment, and who was in it then is not known any more: create a campaign without corrects",
};

function sameIds(some: string[], others: string[]): boolean {
  return some.toSorted().join() === others.toSorted().join();
}

/** Reads the run that a campaign corrects; undefined if it corrects none. */
export async function readCorrectedRun(
  on: Executor,
  { tenantId, corrects }: Pick<CampaignRecord, "tenantId" | "corrects">,
): Promise<CorrectedRun | undefined> {
  return corrects === null ? undefined : correctedRun(on, tenantId, corrects);
}

/**
 * The audience of a campaign at this moment. `corrected`: the run that it corrects or updates, whose readers these are, up to
 * the last one that it knew.
 */
export type CampaignAudience = Audience & { siteId: string; corrected: CorrectedRun | undefined };

/**
 * Reads the audience of a campaign. A send reads it once: what is counted and judged is what the run gets. In a transaction
 * the segment is not changed until it ends.
 */
export async function readAudience(
  on: Executor,
  campaign: Pick<CampaignRecord, "tenantId" | "siteId" | "topicIds" | "segment" | "corrects">,
): Promise<CampaignAudience> {
  const corrected = await readCorrectedRun(on, campaign);
  if (corrected !== undefined) return audienceOfRun(corrected);
  const { siteId, topicIds } = campaign;
  return { siteId, topicIds, segment: await freezeSegment(on, siteId, campaign.segment), corrected };
}

/**
 * The audience of what follows a run. A segment is no longer the same: who has clicked the wrong nudge is not among those
 * who have not clicked for long. So its recipients stand for it.
 */
function audienceOfRun(corrected: CorrectedRun): CampaignAudience {
  const { siteId, topicIds } = corrected;
  if (corrected.segment !== null) return recipientsOfRun(corrected);
  return { siteId, topicIds, segment: null, corrected };
}

/** Those whom a run had as recipients: not who has chosen its topics or become reachable since. */
export function recipientsOfRun(corrected: CorrectedRun): CampaignAudience {
  const { siteId, runId } = corrected;
  return { siteId, topicIds: [], segment: { readersOf: { siteId, runId } }, corrected };
}

/** Counts the audience of a campaign, at most to `limit`. */
export function countAudienceOf(on: Executor, to: CampaignAudience, limit: number): Promise<number> {
  return countSubscribers(on, to.siteId, to, limit, to.corrected?.maxSubscriberId);
}

/** The same without subscribers that are not proven: what a plan's cap and `confirmAbove` count. */
export function countProvenAudienceOf(on: Executor, to: CampaignAudience, limit: number): Promise<number> {
  return countProvenSubscribers(on, to.siteId, to, limit, to.corrected?.maxSubscriberId);
}
