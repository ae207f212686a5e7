import type { Urgency } from "../runs/run.ts";
import type { CampaignStatus, StoredStatus } from "./states.ts";

export const defaultTtlSeconds = 4 * 60 * 60;

/** The verdict that a creation took and kept. */
export type KeptDecision = {
  decision: "send" | "skip";
  score: number;
  reasons: { code: string; effect: string; message: string }[];
};

export type Warning = { code: string; message: string };

/** Why a campaign that was due did not go out: a gate's code, or `missed`. */
export type Failure = { code: string; message: string };

/** A campaign as the database has it; `shownStatus` and `runId` are read from its live run. */
export type CampaignRecord = {
  id: string;
  tenantId: string;
  siteId: string;
  externalId: string | null;
  mode: "url" | "manual";
  status: StoredStatus;
  shownStatus: CampaignStatus;
  runId: string | null;
  url: string;
  title: string | null;
  body: string;
  imageUrl: string | null;
  /** BCP 47, of the article that was read; what is spoken and shown follows it. */
  language: string | null;
  topicIds: string[];
  forceSend: boolean;
  decision: KeptDecision | null;
  ttlSeconds: number;
  urgency: Urgency;
  scheduledAt: Date | null;
  failure: Failure | null;
  /** The campaign whose nudge this one replaces on readers' screens. */
  corrects: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** A campaign as callers see it. */
export type CampaignView = ReturnType<typeof viewCampaign>;

export function viewCampaign(record: CampaignRecord, warnings: Warning[] = []) {
  const { id: campaignId, status: _, shownStatus, scheduledAt, createdAt, updatedAt, ...rest } = record;
  return {
    campaignId,
    ...rest,
    status: shownStatus,
    scheduledAt: scheduledAt?.toISOString() ?? null,
    warnings,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** An empty list of topics is no filter: worth a word, for its author may have meant nobody. */
export function warningsOfTopics(topicIds: string[] | undefined): Warning[] {
  if (topicIds?.length !== 0) return [];
  return [
    { code: "no_topic_filter", message: "topicIds is empty: the campaign goes to every subscriber of the site." },
  ];
}
