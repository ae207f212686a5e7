import type { Reason } from "../decision/checks/check.ts";
import { type AppError, appError } from "../errors.ts";
import type { LocalTime } from "../local-time.ts";
import { defineMessages, type Said, said } from "../messages.ts";
import type { Urgency } from "../runs/run.ts";
import type { CampaignClass } from "../tenants/sites/campaign-classes.ts";
import type { CampaignExtras } from "./nudge-extras.ts";
import { type CampaignState, type CampaignStatus, shownMoves } from "./states.ts";

export const defaultTtlSeconds = 4 * 60 * 60;

/** The decision at the creation of a campaign, as stored with it. */
export type StoredDecision = {
  decision: "send" | "skip";
  score: number;
  reasons: Reason[];
};

export type Warning = Said & { code: string };

/** Why a due campaign was not sent: the code of a gate or of another refusal, or `missed`. */
export type Failure = Said & { code: string };

/**
 * A campaign as stored. `shownStatus` and `runId` come from its live run. `scheduledAt`, `localTime` and `lateFrom`
 * come from its last schedule.
 */
export type CampaignRecord = {
  id: string;
  tenantId: string;
  siteId: string;
  externalId: string | null;
  mode: "url" | "manual";
  status: CampaignState;
  shownStatus: CampaignStatus;
  runId: string | null;
  url: string;
  title: string | null;
  body: string;
  imageUrl: string | null;
  /** The language of the article (BCP 47): browsers use it to display and read out the notification. */
  language: string | null;
  extras: CampaignExtras;
  topicIds: string[];
  /** The id of its segment. Null: all readers. */
  segment: string | null;
  /** The publisher's id of the subject that its readers must follow. Null: they need not follow anything. */
  followersOf: string | null;
  forceSend: boolean;
  decision: StoredDecision | null;
  ttlSeconds: number;
  urgency: Urgency;
  /** The importance. The site's rules for its class apply. */
  class: CampaignClass;
  /** The groups in reports: desk, section, author. */
  labels: string[];
  scheduledAt: Date | null;
  /** Null if all readers get it at the same moment. */
  localTime: LocalTime | null;
  /** The moment from which the send counts as late: its local time at the site. Null if it has no local time. */
  lateFrom: Date | null;
  failure: Failure | null;
  /** The campaign whose notification this one replaces on readers' screens. */
  corrects: string | null;
  /** The id that the campaigns of one request for several sites share. Null if it was created alone. */
  groupId: string | null;
  /** Counts the changes of the content and of the send time, from 1. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
};

/** A campaign in the form of the API. Times: ISO 8601, UTC. */
export type CampaignView = ReturnType<typeof viewCampaign>;

/**
 * Returns a record in the form of the API: all fields of the record except those removed here, and the extras that are
 * set.
 */
export function viewCampaign(record: CampaignRecord, warnings: Warning[] = []) {
  const {
    id: campaignId,
    status: _,
    lateFrom: __,
    revision: ___,
    shownStatus,
    scheduledAt,
    createdAt,
    updatedAt,
    extras,
    ...rest
  } = record;
  return {
    campaignId,
    ...rest,
    ...extras,
    status: shownStatus,
    scheduledAt: scheduledAt?.toISOString() ?? null,
    warnings,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export const campaignTexts = {
  no_topic_filter: "topicIds is empty: the campaign goes to every subscriber of the site.",
} as const;

const messages = defineMessages(campaignTexts);

/**
 * Returns a warning for an empty list of topics. The list filters nothing, but its author may have meant an empty
 * audience.
 */
export function warningsOfTopics(topicIds: string[] | undefined): Warning[] {
  if (topicIds?.length !== 0) return [];
  return [{ code: "no_topic_filter", ...said(messages.no_topic_filter()) }];
}

/**
 * An action of another member or of a key on a campaign. `begun`: a send that can still be undone. `asked`: a request
 * for approval.
 */
export type Meanwhile = "changed" | "begun" | "asked";

/**
 * Returns the `illegal_transition` error for a request that the campaign's status does not allow. `to`: the status
 * after the request. `done` completes the message "it cannot be …". `meanwhile`: the action of another member or key,
 * if the status does not show it.
 */
export function illegalMove(
  campaign: Pick<CampaignRecord, "shownStatus">,
  { to, done, meanwhile }: { to: CampaignStatus; done: string; meanwhile?: Meanwhile },
): AppError {
  const from = campaign.shownStatus;
  const message = `This campaign is ${from}, so it cannot be ${done}.`;
  return appError("illegal_transition", {
    message,
    from,
    to,
    allowed: shownMoves[from],
    ...(meanwhile && { meanwhile }),
  });
}
