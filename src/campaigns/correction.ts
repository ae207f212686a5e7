import type { App } from "../app.ts";
import type { Executor } from "../db/pool.ts";
import { type AppError, appError, type FieldFault } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import type { CampaignRecord } from "./campaign.ts";
import type { CampaignExtras } from "./nudge-extras.ts";
import { type ShownRun, shownRunOf } from "./thread.ts";

/**
 * The fields that a correction inherits from the corrected campaign if it does not name them, because it replaces that
 * campaign's notification.
 */
const inherited = ["storyId", "badge", "lang", "dir", "silent", "requireInteraction"] as const;

type Inherited = { [Name in (typeof inherited)[number]]?: CampaignExtras[Name] | undefined };
type AudienceInput = {
  topicIds?: string[] | undefined;
  segment?: string | undefined;
  followersOf?: string | undefined;
};

/**
 * Checks a new campaign as a correction. Returns its faults, and the fields that it takes over from the corrected
 * campaign: topics, segment and followed id, because it goes to the same audience, and each field of `inherited` that
 * it does not name. Both are empty for a campaign without `corrects`.
 */
export async function checkCorrection(
  app: App,
  tenantId: string,
  wanted: AudienceInput & Inherited & { siteId: string; corrects?: string | undefined },
): Promise<{ faults: FieldFault[]; given: AudienceInput & Inherited }> {
  if (wanted.corrects === undefined) return { faults: [], given: {} };
  const corrected = await shownRunOf(app.db, tenantId, wanted.corrects);
  if (corrected === undefined || corrected.siteId !== wanted.siteId) {
    return { faults: [fault("/corrects", faults.not_sent_yet())], given: {} };
  }
  const wrong = faultsOfOthers(corrected, wanted);
  if (refusalOfForgotten(app, corrected) !== undefined) wrong.push(readersForgotten);
  const extras = Object.fromEntries(inherited.map((name) => [name, wanted[name] ?? corrected.extras[name]]));
  const { topicIds, segment, followersOf } = corrected;
  return { faults: wrong, given: { topicIds, segment: segment ?? "", followersOf: followersOf ?? "", ...extras } };
}

/**
 * Returns the refusal of a correction if its readers are no longer stored at `atMs` (by default now). Its readers are
 * the recipients of the first run of its thread. They are stored for RECIPIENT_DAYS after the end of that run.
 */
export function refusalOfForgotten(
  { config }: App,
  corrected: ShownRun | undefined,
  atMs = corrected?.nowMs ?? 0,
): AppError | undefined {
  if (corrected === undefined) return undefined;
  const knownUntilMs = (corrected.finishedMs ?? atMs) + config.RECIPIENT_DAYS * 86_400_000;
  return corrected.isForgotten || atMs >= knownUntilMs ? appError("readers_forgotten") : undefined;
}

/** Throws the refusal of a correction if its readers are no longer stored at `atMs` (by default now). */
export function assertReadersKnown(app: App, corrected: ShownRun | undefined, atMs?: number): void {
  const refusal = refusalOfForgotten(app, corrected, atMs);
  if (refusal !== undefined) throw refusal;
}

/** Returns the faults of a change that would give a correction another audience. */
export function faultsOfAudience(campaign: CampaignRecord, change: AudienceInput): FieldFault[] {
  return campaign.corrects === null ? [] : faultsOfOthers(campaign, change);
}

function faultsOfOthers(
  { topicIds, segment, followersOf }: Pick<CampaignRecord, "topicIds" | "segment" | "followersOf">,
  wanted: AudienceInput,
): FieldFault[] {
  const hasOtherTopics = wanted.topicIds !== undefined && !sameIds(wanted.topicIds, topicIds);
  const hasOtherSegment = wanted.segment !== undefined && wanted.segment !== (segment ?? "");
  const hasOtherFollowers = wanted.followersOf !== undefined && wanted.followersOf !== (followersOf ?? "");
  return [
    ...(hasOtherTopics ? [otherTopics] : []),
    ...(hasOtherSegment ? [otherSegment] : []),
    ...(hasOtherFollowers ? [otherFollowers] : []),
  ];
}

const otherTopics = fault("/topicIds", faults.other_topics_in_correction());
const otherSegment = fault("/segment", faults.other_audience_in_correction());
const otherFollowers = fault("/followersOf", faults.other_audience_in_correction());
const readersForgotten = fault("/corrects", faults.readers_forgotten());

function sameIds(some: string[], others: string[]): boolean {
  return some.toSorted().join() === others.toSorted().join();
}

/** Returns the run that a campaign corrects. Returns undefined if it corrects no campaign of its site. */
export async function readCorrectedRun(
  on: Executor,
  { tenantId, siteId, corrects }: Pick<CampaignRecord, "tenantId" | "siteId" | "corrects">,
): Promise<ShownRun | undefined> {
  const found = corrects === null ? undefined : await shownRunOf(on, tenantId, corrects);
  return found?.siteId === siteId.toLowerCase() ? found : undefined;
}
