import type { LocalTime } from "../local-time.ts";
import type { RunKind } from "./kinds.ts";
import type { RunStatus } from "./states.ts";

/**
 * Optional fields of a notification beside its text and picture. If a field is absent, the browser uses its default.
 * Browsers ignore fields that they do not support.
 */
export type NudgeExtras = {
  /** The buttons, no more than two. Each has its own address. */
  actions?: NudgeAction[];
  /** The address of a monochrome picture, for the status bar of Android. */
  badge?: string;
  /** The number on the icon of an installed site; 0 removes it. */
  appBadge?: number;
  /** The language, BCP 47. Replaces the article's language. */
  lang?: string;
  dir?: "auto" | "ltr" | "rtl";
  /** Keeps the notification on the screen until the reader acts. */
  requireInteraction?: boolean;
  /** Shows the notification without sound and vibration. */
  silent?: boolean;
  /**
   * The id of the story that the notification is about. Readers may mute it. It is not sent. If absent, the article
   * is the story.
   */
  storyId?: string;
};

export type NudgeAction = { title: string; url: string };

/** The notification of a run, frozen at the send: every field that reaches a reader's screen. */
export type RunMessage = {
  title: string;
  body: string;
  /** The address that a click opens, with the site's UTM parameters. */
  url: string;
  imageUrl: string | null;
  /** The site's icon. */
  iconUrl?: string | null;
  /** The article's language, BCP 47. */
  language?: string | null;
  /** Pressbell's address for clicks, to which the token is appended. Only in link mode `redirect`. */
  clickBase?: string;
  /** The message changes a notification that is on the screen, without a sound. */
  update?: true;
  /** The id of the story, or the address of its article. Readers mute stories. */
  story?: string;
  extras?: NudgeExtras;
  /** What browsers report. If absent, they report each message separately. */
  receipts?: "aggregate" | "off";
};

/**
 * The identity of a notification on the screen. `threadId`: the notification's first run. It is the tag of every
 * message, so that a later message replaces an earlier one. `sequence`: the message with the highest sequence of a
 * thread wins. 0 is the first.
 */
export type Thread = { threadId: string; sequence: number };

export type Urgency = "very-low" | "low" | "normal" | "high";

/** The name in place of a push service, for recipients that are in no batch. */
export const pushServiceOfUnplanned = "none";

/**
 * How often a code occurred in a run on one push service. `said`: the service's answer, if Pressbell does not know
 * that answer.
 */
export type CodeCount = { pushService: string; code: number; n: number; said?: string | undefined };

/**
 * The totals of a run's batches. `codes`: how often each code occurred. `repeated`: messages that were posted a
 * second time. `reporting`: accepted messages that went to browsers that report displays.
 */
export type RunTotals = { codes: CodeCount[]; repeated: number; reporting: number };

/** A run as stored in the database. */
export type RunRecord = {
  id: string;
  /** Null for a digest, a welcome, a win-back or a fire drill. */
  campaignId: string | null;
  siteId: string;
  kind: RunKind;
  status: RunStatus;
  planned: boolean;
  expectedAudience: number;
  /**
   * Recipients in no batch, because planning was given up. It is 0 once the run has ended, because its totals include
   * them.
   */
  unplanned: number;
  tenantPaused: boolean;
  sitePaused: boolean;
  screenGoalSeconds: number | null;
  /**
   * When the run's first batches were planned. With local-time delivery, these are the batches of its first readers.
   */
  startedAt: Date | null;
  finishedAt: Date | null;
  stopRequestedAt: Date | null;
  /** The buttons of its notification. */
  actions: NudgeAction[] | null;
  /** What browsers report. If null, they report each message separately. */
  receipts: "aggregate" | "off" | null;
  /** Null if all readers are notified as soon as they are planned. */
  localTime: LocalTime | null;
};

/**
 * Recipients of a run who wait on one push service. `blockedReason`: the service refuses the site's key.
 * `restsUntil`: the service asked for a rest, because of a limit of this site if `isRateLimited`. If both are null,
 * the service failed and is tried again.
 */
export type Waiting = {
  pushService: string;
  n: number;
  blockedReason: "unauthorized" | "forbidden" | null;
  restsUntil: Date | null;
  /** The push service limits this site. */
  isRateLimited: boolean;
};

/** How often something followed a click. `name`: `read`, `second_page`, or a name that the site chose. */
export type AfterClick = { name: string; count: number };

/** The receipts of a run in one hour. `hour`: its start. Each message counts once per kind. */
export type ReceiptHour = { hour: Date; action1: number; action2: number } & ReceiptCounts;
export type ReceiptCounts = { displayed: number; clicked: number; dismissed: number; unsubscribed: number };
