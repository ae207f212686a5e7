/**
 * The types of what the API takes and answers (docs/api.md). Times are ISO 8601 in UTC, ids are UUIDs.
 * test/client/types.test.ts checks that each type equals the schema or the view of the service.
 */

import type { ErrorCode } from "./errors.ts";
import type { Sentence } from "./sentence.ts";

/** How important a campaign is. */
export type CampaignClass = "breaking" | "normal" | "low";

export type Urgency = "very-low" | "low" | "normal" | "high";

/** The optional parts of a notification, beside its text and picture. */
export type NudgeExtras = {
  /** The https address of a monochrome picture for the status bar of Android. */
  badge?: string;
  /** The number on the icon of an installed site: 0 to 9,999. 0 removes the number. */
  appBadge?: number;
  /** A language tag (BCP 47). Default: the article's language. */
  lang?: string;
  dir?: "auto" | "ltr" | "rtl";
  /** Whether the notification stays on the screen until the reader acts. */
  requireInteraction?: boolean;
  /** Whether the notification comes without sound and vibration. */
  silent?: boolean;
  /** Your id of the story, which lets readers mute the story. The id is not sent to them. */
  storyId?: string;
  /** Buttons, at most two. */
  actions?: NudgeAction[];
};

/** A button of a notification. `title`: at most 40 characters. */
export type NudgeAction = { title: string; url: string };

/** A variant of the notification. Absent fields are those of the campaign. `imageUrl` "": no image. */
export type HeadlineVariant = { title?: string; body?: string; imageUrl?: string };

/** A test of headlines. */
export type VariantFields = {
  /**
   * One to three notifications that are tried against the campaign's own. `[]` removes the variants that were set
   * before.
   */
  variants?: HeadlineVariant[];
  /** The percentage of the audience that takes part: 1 to 100. Default 20. */
  testShare?: number;
  /** The length of the test in minutes, 1 to 1,440. Then the rest of the audience gets the best variant. Default 30. */
  testMinutes?: number;
};

type SharedFields = NudgeExtras &
  VariantFields & {
    siteId: string;
    /** https, or "" for no image. */
    imageUrl?: string;
    /** Only subscribers of any of these topics. `[]` is not a filter, and gives a warning. */
    topicIds?: string[];
    /** The id of a segment. Only its readers are notified. `""`: all readers. */
    segment?: string;
    /**
     * Your id of a story, an author or a series. Only its followers are notified. `""`: all readers. Not allowed with
     * topicIds.
     */
    followersOf?: string;
    /** Your own id of the campaign, at most 200 characters. */
    externalId?: string;
    /** How long push services may keep the message, in seconds: 60 to 2,419,200. Default 14,400. */
    ttlSeconds?: number;
    urgency?: Urgency;
    /** How important the campaign is. The site rules who may send a class, and how often. Default "normal". */
    class?: CampaignClass;
    /** Labels that reports group by: at most 10, each of at most 40 characters. */
    labels?: string[];
    /** The id of a campaign that was sent, and whose notification this one replaces as a correction. */
    corrects?: string;
    /** In url mode: creates a draft even if the decision is skip. */
    forceSend?: boolean;
  };

/** A campaign in url mode. The service checks the story and writes the notification from it. Fields given here win. */
export type UrlCampaign = SharedFields & { mode?: "url"; url: string; title?: string; body?: string };

/** A campaign in manual mode: your own texts, without a decision. */
export type ManualCampaign = SharedFields & { mode: "manual"; url: string; title: string; body: string };

export type NewCampaign = UrlCampaign | ManualCampaign;

/** The fields of a draft to change. Absent fields stay unchanged. */
export type CampaignChange = Omit<SharedFields, "siteId" | "corrects" | "forceSend"> & {
  title?: string;
  body?: string;
  /** Only in manual mode. */
  url?: string;
};

export type CampaignStatus = "draft" | "scheduled" | "sending" | "sent" | "stopped" | "cancelled" | "failed";

/** One reason of a decision. `code`: of the check. */
export type DecisionReason = { code: string; effect: "blocks" | "lowers" | "raises" | "informs" } & Sentence;

/** The decision at the creation of a campaign. */
export type Decision = {
  decision: "send" | "skip";
  score: number;
  reasons: DecisionReason[];
};

/** A time of day in each reader's time zone. `date`: `2027-03-01`. `time`: `07:00`. */
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
    /** The id of the campaign's segment. Null: all readers. */
    segment: string | null;
    /** The id of yours whose followers get the campaign. Null: it is not limited to followers. */
    followersOf: string | null;
    forceSend: boolean;
    decision: Decision | null;
    ttlSeconds: number;
    urgency: Urgency;
    class: CampaignClass;
    labels: string[];
    scheduledAt: string | null;
    /** Null: all readers get the campaign at the same moment. */
    localTime: LocalTime | null;
    runId: string | null;
    failure: ({ code: string } & Sentence) | null;
    corrects: string | null;
    /** The group of the campaign: one request for several sites creates one. Null: the campaign was created alone. */
    groupId: string | null;
    warnings: ({ code: string } & Sentence)[];
    createdAt: string;
    updatedAt: string;
  };

/**
 * `duplicate`: an earlier request with the same idempotency key has created the campaign, perhaps a lost attempt of
 * this call.
 */
export type CreatedCampaign = Campaign & { duplicate: boolean };

/** The fields of a campaign that belong to one site. */
type OfOneSite = "siteId" | "topicIds" | "segment" | "followersOf" | "corrects";

/**
 * A campaign at each of 2 to 20 sites. The entry of a site has the fields that belong to that site. A `url` there
 * replaces the group's.
 */
export type NewGroup = (Omit<UrlCampaign, OfOneSite | "url"> | Omit<ManualCampaign, OfOneSite | "url">) & {
  url?: string;
  sites: (Pick<SharedFields, OfOneSite> & { url?: string })[];
};

/** `campaigns`: one for each site, in the order of the request. `duplicate`: as in CreatedCampaign. */
export type CreatedGroup = { groupId: string; campaigns: Campaign[]; duplicate: boolean };

/** The result of the send at each site: `result`, or the error that sending this campaign alone would answer. */
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
  /** False if the audience is larger than `audience`. */
  audienceExact: boolean;
  /** An earlier request with the same idempotency key has started the run, perhaps a lost attempt of this call. */
  duplicate: boolean;
};

/** The parts of a notification on the screen to change. Absent fields stay as they are. `imageUrl` "": no picture. */
export type NudgeUpdate = { title?: string; body?: string; imageUrl?: string };

export type SentUpdate = {
  campaignId: string;
  runId: string;
  audience: number;
  /** False if the audience is larger than `audience`. */
  audienceExact: boolean;
  /** The notification already has this text. Nothing was sent, and `runId` is the run that brought the text. */
  duplicate: boolean;
};

export type Update = {
  campaignId: string;
  runId: string;
  title: string;
  body: string;
  imageUrl: string | null;
  /** The status of the update's run. */
  status: Run["status"];
  createdAt: string;
  /**
   * How long the update can still be stopped before anybody gets it. Absent unless a member began it in the
   * dashboard.
   */
  startsInMs?: number;
};

/** What a run counts: audience = pending + accepted + gone + failed + expired + notSent + unknown. */
export type CountName = "pending" | "accepted" | "gone" | "failed" | "expired" | "notSent" | "unknown";

type Receipts = { displayed: number; clicked: number; dismissed: number; unsubscribed: number };

export type Run = Record<CountName, number> &
  Receipts & {
    runId: string;
    /** Null for a digest, a welcome, a win-back and a fire drill. */
    campaignId: string | null;
    kind: "live" | "test" | "digest" | "update" | "welcome" | "win_back";
    status: "queued" | "sending" | "stopping" | "completed" | "stopped" | "failed";
    heldBy: "tenant_paused" | "site_paused" | null;
    audience: number;
    /** Messages that were sent again after a crash. */
    repeated: number;
    /** The part of `accepted` whose browsers report displays. A share of `displayed` is computed from it. */
    reporting: number;
    /** `said`: what the push service answered, if Pressbell does not know its reason. */
    reasons: (Sentence & {
      class: CountName;
      reason: string;
      pushService: string;
      count: number;
      said?: string;
    })[];
    /** What browsers report: each message, only sums, or nothing. */
    receipts: "full" | "aggregate" | "off";
    receiptsByHour: ({ hour: string } & Receipts)[];
    /** The outcomes of clicks, the most frequent first: `read`, `second_page`, and names of the site's own. */
    afterClick: { name: string; count: number }[];
    /** The seconds within which half, 90 % and 99 % of the reported displays came. Null for fewer than 20 displays. */
    timeToScreen: {
      p50Seconds: number;
      p90Seconds: number;
      p99Seconds: number;
      displayed: number;
      goalSeconds: number | null;
    } | null;
    /** How often each button was clicked. Absent if there are no buttons. */
    actions?: (NudgeAction & { clicked: number })[];
    /** Absent if there are no variants. */
    headlineTest?: HeadlineTest;
    /** `localTime` and `waves` are absent if all readers are notified at the same moment. */
    localTime?: LocalTime;
    waves?: Wave[];
    /**
     * The time at which the run began. With local-time delivery, the last readers are notified up to 26 hours later.
     */
    startedAt: string | null;
    finishedAt: string | null;
    stoppedAt: string | null;
  };

/** The readers of a run who are notified at the same moment. */
export type Wave = {
  at: string;
  /**
   * The offset from UTC, such as `+05:30`. Null: the hour of these readers had passed, so they were notified at once.
   */
  utcOffset: string | null;
  readers: number;
  pending: number;
  accepted: number;
  /** `missed`: the wave could not be sent within its time to live, or may already have been sent before a restore. */
  state: "waiting" | "sending" | "done" | "stopped" | "missed";
};

export type HeadlineTest = {
  status: "running" | "winner" | "no_difference" | "not_measured" | "too_few" | "by_hand" | "stopped";
  /** The percentage of the audience that takes part. */
  share: number;
  /** Null if the clock of the test is halted, or was halted when the test ended. */
  endsAt: string | null;
  /** What halts the clock of the test. Null: it is not halted. */
  waitsFor: "first_accepted" | "pause" | "push_services" | null;
  endedAt: string | null;
  /** The variant that the rest of the audience gets. 0 is the campaign's own. */
  chosen: number | null;
  /**
   * `shown`: notifications that were displayed or clicked. `measured`: notifications for which it is known whether
   * they were clicked. `probability`: the probability that the variant has the highest click rate.
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
  results: (Sentence & {
    testSubscriberId: string;
    label: string | null;
    outcome: CountName;
    status: number | null;
  })[];
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

/** The fields of a campaign that its decision depends on, and `url`. */
export type PreviewRequest = Partial<
  Pick<UrlCampaign, "siteId" | "title" | "body" | "imageUrl" | "topicIds" | "segment" | "followersOf" | "class">
> & { url: string };

export type Preview = {
  decision: "send" | "skip";
  score: number;
  reasons: DecisionReason[];
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
  /** Null if no siteId was given. */
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
  /** Only runs that started at this time or later. A time with an offset. */
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
    /** The labels of the run's campaign. */
    labels: string[];
    topicIds: string[];
    status: string;
    startedAt: string;
    finishedAt: string | null;
  };

/** A period of the site's calendar, at most 366 days. Both days are included. */
export type Period = { from: string; to: string };

export type FiguresQuery = Period & { by: "day" | "topic" | "sender" | "class" | "label" };

/**
 * Sums over what was sent in a period. `key`: what the sums are grouped by, null for what has no key. `name`: the
 * name of the key.
 */
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

/**
 * The effect of a class's notifications for every 1,000 readers: readers who get them, compared with readers who are
 * left out.
 */
export type HoldoutEffect = {
  class: CampaignClass;
  /** The number of days whose visits were counted. */
  days: number;
  /** The number of readers who were left out at the last count. */
  heldOut: number;
  /** Readers who visit in a day. Null before the first count. */
  visits: HoldoutDifference | null;
  /** Readers who leave in four weeks. Null until the figures of four weeks have settled. */
  left: HoldoutDifference | null;
};

/** `difference`: the estimate and its 95 % interval. */
export type HoldoutDifference = {
  heldOut: number;
  others: number;
  difference: { low: number; middle: number; high: number };
};

/** A page of a list. `nextCursor` is null at the end. */
export type Page<Entry> = { data: Entry[]; nextCursor: string | null };
