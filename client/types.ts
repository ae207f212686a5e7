/**
 * What the API takes and answers (docs/api.md). Times are ISO 8601 in UTC, ids are UUIDs. test/client/types.test.ts
 * holds each type equal to the schema or the view of the service that it describes.
 */

import type { ErrorCode } from "./errors.ts";

/** How important a campaign is. */
export type CampaignClass = "breaking" | "normal" | "low";

export type Urgency = "very-low" | "low" | "normal" | "high";

/** What a notification may have beside its text and picture. */
export type NudgeExtras = {
  /** https; a monochrome picture for the status bar of Android. */
  badge?: string;
  /** The number on the icon of an installed site: 0 to 9,999. 0 removes it. */
  appBadge?: number;
  /** A language tag (BCP 47), instead of the article's. */
  lang?: string;
  dir?: "auto" | "ltr" | "rtl";
  /** Stays on the screen until the reader acts. */
  requireInteraction?: boolean;
  /** Without sound and vibration. */
  silent?: boolean;
  /** Your id of the story, which readers may mute. Not sent to them. */
  storyId?: string;
  /** Buttons, at most two. */
  actions?: NudgeAction[];
};

/** A button of a notification. `title`: at most 40 characters. */
export type NudgeAction = { title: string; url: string };

/** Absent: as in the campaign. `imageUrl` "": no image. */
export type HeadlineVariant = { title?: string; body?: string; imageUrl?: string };

/** A test of headlines. */
export type VariantFields = {
  /** One to three notifications that are tried against the campaign's own. `[]` ends what was set before. */
  variants?: HeadlineVariant[];
  /** How many percent of the audience take part: 1 to 100. Default 20. */
  testShare?: number;
  /** After so many minutes the rest gets the best so far: 1 to 1,440. Default 30. */
  testMinutes?: number;
};

type SharedFields = NudgeExtras &
  VariantFields & {
    siteId: string;
    /** https, or "" for no image. */
    imageUrl?: string;
    /** Only subscribers of any of these topics. `[]` is no filter, and a warning. */
    topicIds?: string[];
    /** Only readers of this segment (its id). `""`: all. */
    segment?: string;
    /** Only followers of this id of yours. `""`: readers need not follow anything. Not with topicIds. */
    followersOf?: string;
    /** Your own id, at most 200 characters. */
    externalId?: string;
    /** How long push services may keep the message: 60 to 2,419,200. Default 14,400. */
    ttlSeconds?: number;
    urgency?: Urgency;
    /** How important it is: the site rules who may send it and how often. Default "normal". */
    class?: CampaignClass;
    /** At most 10 of at most 40 characters: what reports are grouped by. */
    labels?: string[];
    /** A campaign that was sent, and whose notification this one replaces: a correction. */
    corrects?: string;
    /** In url mode: a draft even if the decision is skip. */
    forceSend?: boolean;
  };

/** The story is checked, and the notification written from it, except for what is given here. */
export type UrlCampaign = SharedFields & { mode?: "url"; url: string; title?: string; body?: string };

/** Your own texts, without a decision. */
export type ManualCampaign = SharedFields & { mode: "manual"; url: string; title: string; body: string };

export type NewCampaign = UrlCampaign | ManualCampaign;

/** The fields of a draft to change. Absent: unchanged. */
export type CampaignChange = Omit<SharedFields, "siteId" | "corrects" | "forceSend"> & {
  title?: string;
  body?: string;
  /** Only in manual mode. */
  url?: string;
};

export type CampaignStatus = "draft" | "scheduled" | "sending" | "sent" | "stopped" | "cancelled" | "failed";

/** The decision at the creation of a campaign. */
export type Decision = {
  decision: "send" | "skip";
  score: number;
  reasons: { code: string; effect: string; message: string }[];
};

/** A time of a day where each reader is. `date`: `2027-03-01`. `time`: `07:00`. */
export type LocalTime = { date: string; time: string };

export type Campaign = NudgeExtras &
  VariantFields & {
    campaignId: string;
    tenantId: string;
    siteId: string;
    externalId: string | null;
    mode: "url" | "manual";
    status: CampaignStatus;
    url: string;
    title: string | null;
    body: string;
    imageUrl: string | null;
    language: string | null;
    topicIds: string[];
    /** The id of its segment. Null: all readers. */
    segment: string | null;
    /** The id whose followers it goes to. Null: readers need not follow anything. */
    followersOf: string | null;
    forceSend: boolean;
    decision: Decision | null;
    ttlSeconds: number;
    urgency: Urgency;
    class: CampaignClass;
    labels: string[];
    scheduledAt: string | null;
    /** Null: all readers get it at the same moment. */
    localTime: LocalTime | null;
    runId: string | null;
    failure: { code: string; message: string } | null;
    corrects: string | null;
    /** What the campaigns of one request for several sites share. Null: it was created alone. */
    groupId: string | null;
    warnings: { code: string; message: string }[];
    createdAt: string;
    updatedAt: string;
  };

/**
 * `duplicate`: an earlier request with the same idempotency key has created it, perhaps a lost attempt of this call.
 */
export type CreatedCampaign = Campaign & { duplicate: boolean };

/** The fields of a campaign that belong to one site. */
type OfOneSite = "siteId" | "topicIds" | "segment" | "followersOf" | "corrects";

/** A campaign at each of 2 to 20 sites. What belongs to one site stands in its entry; `url` there replaces the group's. */
export type NewGroup = (Omit<UrlCampaign, OfOneSite | "url"> | Omit<ManualCampaign, OfOneSite | "url">) & {
  url?: string;
  sites: (Pick<SharedFields, OfOneSite> & { url?: string })[];
};

/** `campaigns`: one for each site, in the order of the request. `duplicate`: as in CreatedCampaign. */
export type CreatedGroup = { groupId: string; campaigns: Campaign[]; duplicate: boolean };

/** What became of the send at each site: `result`, or the error that the send of the one campaign answers. */
export type SentGroup = {
  groupId: string;
  sites: {
    siteId: string;
    campaignId: string;
    result: SentCampaign | null;
    error: { code: ErrorCode; message: string; [detail: string]: unknown } | null;
  }[];
};

/** The campaigns of a group, each with the figures of its run (null before the send), and their sums. */
export type Group = {
  groupId: string;
  campaigns: (Campaign & {
    run:
      | (GroupFigures & {
          runId: string;
          status: string;
          startedAt: string;
          finishedAt: string | null;
        })
      | null;
  })[];
  totals: GroupFigures;
};

type GroupFigures = Record<CountName, number> & Receipts & { audience: number; reporting: number };

export type CampaignFilter = { status?: CampaignStatus; siteId?: string; externalId?: string };

export type SentCampaign = {
  campaignId: string;
  runId: string;
  status: "sending" | "sent" | "stopped" | "failed";
  audience: number;
  /** False: the audience is larger than `audience`. */
  audienceExact: boolean;
  /** An earlier request with the same idempotency key has started the run, perhaps a lost attempt of this call. */
  duplicate: boolean;
};

/** What is to change of a notification on the screen. Absent: as it is. `imageUrl` "": no picture. */
export type NudgeUpdate = { title?: string; body?: string; imageUrl?: string };

export type SentUpdate = {
  campaignId: string;
  runId: string;
  audience: number;
  /** False: the audience is larger than `audience`. */
  audienceExact: boolean;
  /** The notification has this text already: nothing was sent, and `runId` is the run that brought it. */
  duplicate: boolean;
};

export type Update = {
  campaignId: string;
  runId: string;
  title: string;
  body: string;
  imageUrl: string | null;
  /** Of its run. */
  status: Run["status"];
  createdAt: string;
  /** The time that is left to stop it before anybody gets it: a member began it in the dashboard. Absent: none. */
  startsInMs?: number;
};

/** What a run counts: audience = pending + accepted + gone + failed + expired + notSent + unknown. */
export type CountName = "pending" | "accepted" | "gone" | "failed" | "expired" | "notSent" | "unknown";

type Receipts = { displayed: number; clicked: number; dismissed: number; unsubscribed: number };

export type Run = Record<CountName, number> &
  Receipts & {
    runId: string;
    /** Null: a digest, a welcome, a win-back or a fire drill. */
    campaignId: string | null;
    kind: "live" | "test" | "digest" | "update" | "welcome" | "win_back";
    status: "queued" | "sending" | "stopping" | "completed" | "stopped" | "failed";
    heldBy: "tenant_paused" | "site_paused" | null;
    audience: number;
    /** Sent again after a crash. */
    repeated: number;
    /** Of `accepted`, those of browsers that report displays: what a share of `displayed` is formed of. */
    reporting: number;
    /** `said`: what the push service said, where Pressbell does not know its reason. */
    reasons: {
      class: CountName;
      reason: string;
      pushService: string;
      count: number;
      message: string;
      said?: string;
    }[];
    /** What browsers report: each message, only sums, or nothing. */
    receipts: "full" | "aggregate" | "off";
    receiptsByHour: ({ hour: string } & Receipts)[];
    /** What followed clicks, the most frequent first: `read`, `second_page`, and names of the site's own. */
    afterClick: { name: string; count: number }[];
    /** Seconds within which half, 90 % and 99 % of the displays that were reported came. Null below 20 of them. */
    timeToScreen: {
      p50Seconds: number;
      p90Seconds: number;
      p99Seconds: number;
      displayed: number;
      goalSeconds: number | null;
    } | null;
    /** How often each button was clicked. Absent without buttons. */
    actions?: (NudgeAction & { clicked: number })[];
    /** Absent without variants. */
    headlineTest?: HeadlineTest;
    /** Both absent where all readers are notified at the same moment. */
    localTime?: LocalTime;
    waves?: Wave[];
    /** When it began: with local-time delivery, up to 26 hours before the last readers get it. */
    startedAt: string | null;
    finishedAt: string | null;
    stoppedAt: string | null;
  };

/** The readers of a run who are notified at the same moment. */
export type Wave = {
  at: string;
  /** Such as `+05:30`. Null: their hour had passed, so that they were notified at once. */
  utcOffset: string | null;
  readers: number;
  pending: number;
  accepted: number;
  /** `missed`: it could not be sent for as long as its time to live, or may have been sent before a restore. */
  state: "waiting" | "sending" | "done" | "stopped" | "missed";
};

export type HeadlineTest = {
  status: "running" | "winner" | "no_difference" | "not_measured" | "too_few" | "by_hand" | "stopped";
  /** Percent of the audience. */
  share: number;
  /** Null: its clock is halted, or was when it ended. */
  endsAt: string | null;
  /** What halts its clock. Null: nothing. */
  waitsFor: "first_accepted" | "pause" | "push_services" | null;
  endedAt: string | null;
  /** The variant that the rest gets: 0 is the campaign's own. */
  chosen: number | null;
  /**
   * `shown`: displayed or clicked. `measured`: of so many it is known whether they clicked. `probability`: to have the
   * highest click rate.
   */
  variants: {
    title: string;
    body: string;
    imageUrl: string | null;
    recipients: number;
    accepted: number;
    shown: number;
    measured: number;
    clicked: number;
    probability: number;
  }[];
};

export type TestSend = {
  runId: string;
  recipients: number;
  accepted: number;
  results: {
    testSubscriberId: string;
    label: string | null;
    outcome: CountName;
    status: number | null;
    message: string;
  }[];
};

export type Site = {
  siteId: string;
  tenantId: string;
  name: string;
  url: string;
  timeZone: string;
  paused: boolean;
  vapidPublicKey: string;
  topics: { topicId: string; name: string }[];
  createdAt: string;
};

/** Beside `url`, the fields of a campaign that its decision depends on. */
export type PreviewRequest = Partial<
  Pick<UrlCampaign, "siteId" | "title" | "body" | "imageUrl" | "topicIds" | "segment" | "followersOf" | "class">
> & { url: string };

export type Preview = {
  decision: "send" | "skip";
  score: number;
  reasons: { code: string; effect: "blocks" | "lowers" | "raises" | "informs"; message: string }[];
  article: {
    url: string;
    canonicalUrl: string | null;
    title: string | null;
    description: string | null;
    imageUrl: string | null;
    publishedAt: string | null;
    language: string | null;
    type: string | null;
  };
  nudge: { title: string | null; body: string | null; imageUrl: string | null };
  /** null without a siteId. */
  audience: {
    siteId: string;
    reachable: number;
    reachableExact: boolean;
    sentLast24Hours: number;
    dailyLimit: number | null;
    lastSentAt: string | null;
    minGapMinutes: number | null;
    quietNow: boolean;
    quietHours: { from: string; until: string } | null;
    timeZone: string;
    storySentAt: string | null;
  } | null;
};

export type RunFilter = {
  siteId?: string;
  /** Runs that were started then or later: a time with an offset. */
  since?: string;
};

/** A run with its figures, as a list has them. */
export type ReportedRun = Record<CountName | "audience" | "reporting", number> &
  Record<"displayed" | "clicked" | "dismissed" | "unsubscribed", number> & {
    runId: string;
    siteId: string;
    campaignId: string | null;
    kind: Run["kind"];
    class: CampaignClass;
    /** Of its campaign. */
    labels: string[];
    topicIds: string[];
    status: string;
    startedAt: string;
    finishedAt: string | null;
  };

/** Days of the site's calendar, both in it: at most 366. */
export type Period = { from: string; to: string };

export type FiguresQuery = Period & { by: "day" | "topic" | "sender" | "class" | "label" };

/** Sums over what was sent in a period. `key` null: what has none. `name`: what people call the key. */
export type FiguresOfGroup = Record<Exclude<CountName, "pending"> | "sends" | "audience" | "reporting", number> &
  Record<"displayed" | "clicked" | "dismissed" | "unsubscribed", number> & { key: string | null; name: string | null };

export type SubscribersSummary = {
  siteId: string;
  timeZone: string;
  reachable: number;
  /** False if there are more than `reachable`. */
  reachableExact: boolean;
  days: { day: string; joined: number; left: number; readers: number }[];
};

/** What the notifications of a class win and lose, of 1,000 readers: those who get them beside those who are left out. */
export type HoldoutEffect = {
  class: CampaignClass;
  /** The days whose visits were counted. */
  days: number;
  /** The readers left out at the last count. */
  heldOut: number;
  /** Who comes in a day. Null before the first count. */
  visits: HoldoutDifference | null;
  /** Who leaves in four weeks. Null before four weeks are over and have settled. */
  left: HoldoutDifference | null;
};

/** `difference`: with the range that holds it in nineteen of twenty cases. */
export type HoldoutDifference = {
  heldOut: number;
  others: number;
  difference: { low: number; middle: number; high: number };
};

/** A page of a list. `nextCursor` is null at the end. */
export type Page<Entry> = { data: Entry[]; nextCursor: string | null };
