import { type AppError, appError } from "../errors.ts";
import type { LocalTime } from "../local-time.ts";
import type { Urgency } from "../runs/run.ts";
import type { CampaignClass } from "../tenants/sites/campaign-classes.ts";
import type { CampaignExtras } from "./nudge-extras.ts";
import { type CampaignState, type CampaignStatus, shownMoves } from "./states.ts";

export const defaultTtlSeconds = 4 * 60 * 60;

/** The decision at the creation of a campaign, as stored with it. */
export type StoredDecision = {
  decision: "send" | "skip";
  score: number;
  reasons: { code: string; effect: string; message: string }[];
};

export type Warning = { code: string; message: string };

/** Why a due campaign was not sent: the code of a gate, or `missed`. */
export type Failure = { code: string; message: string };

/**
 * A campaign as stored; `shownStatus` and `runId` are read from its live run, `scheduledAt`, `localTime` and `lateFrom`
 * from its last planned send that waits or waited for its time.
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
  forceSend: boolean;
  decision: StoredDecision | null;
  ttlSeconds: number;
  urgency: Urgency;
  /** How important it is: what the site rules for its class holds for it. */
  class: CampaignClass;
  /** What reports are grouped by: desk, section, author. */
  labels: string[];
  scheduledAt: Date | null;
  /** Null: it is sent to all readers at the same moment. */
  localTime: LocalTime | null;
  /** The moment of that time where the site is, from which it is late; null: there is none. */
  lateFrom: Date | null;
  failure: Failure | null;
  /** The campaign whose notification this one replaces on readers' screens. */
  corrects: string | null;
  /** Counts the changes of what it says and of when it is sent, from 1. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
};

/** A campaign as the API shows it. Times: ISO 8601, UTC. */
export type CampaignView = ReturnType<typeof viewCampaign>;

/**
 * Shapes a record for the API. Shows every field of the record that is not taken out here, and the extras that are set.
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

/** Warns of an empty list of topics: it filters nothing, and its author may have meant an empty audience. */
export function warningsOfTopics(topicIds: string[] | undefined): Warning[] {
  if (topicIds?.length !== 0) return [];
  return [
    { code: "no_topic_filter", message: "topicIds is empty: the campaign goes to every subscriber of the site." },
  ];
}

/**
 * What another member or a key has done with a campaign. `begun`: its send, which can still be undone. `asked`: for a second
 * person.
 */
export type Meanwhile = "changed" | "begun" | "asked";

/**
 * Returns the `illegal_transition` for a request that the campaign's status does not allow. `to`: the status that the
 * request would have led to. `done` completes the message: "it cannot be …". `meanwhile`: what another has done, where the
 * status does not tell it.
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
