import type { LocalTime } from "../local-time.ts";
import type { RunKind } from "./kinds.ts";
import type { RunStatus } from "./states.ts";

/**
 * What a notification may have beside its text and picture. Absent: the browser's own. Browsers leave out what they do
 * not have.
 */
export type NudgeExtras = {
  /** Buttons, at most two, each with an address of its own. */
  actions?: NudgeAction[];
  /** The address of a monochrome picture, for the status bar of Android. */
  badge?: string;
  /** The number on the icon of an installed site; 0 removes it. */
  appBadge?: number;
  /** BCP 47; instead of the article's language. */
  lang?: string;
  dir?: "auto" | "ltr" | "rtl";
  /** Stays on the screen until the reader acts. */
  requireInteraction?: boolean;
  /** Without sound and vibration. */
  silent?: boolean;
  /** The story that the notification is about, which readers may mute. Not sent. Absent: its article. */
  storyId?: string;
};

export type NudgeAction = { title: string; url: string };

/** The notification of a run, frozen at the send: every field that reaches a reader's screen. */
export type RunMessage = {
  title: string;
  body: string;
  /** Where a click leads, with the site's UTM parameters. */
  url: string;
  imageUrl: string | null;
  /** The site's. */
  iconUrl?: string | null;
  /** BCP 47, of the article. */
  language?: string | null;
  /** In link mode `redirect`: the service's address for clicks, to which the token is appended. */
  clickBase?: string;
  /** Changes a notification where it is on the screen, without a sound. */
  update?: true;
  /** The story that it is about: its id, or the address of its article. Readers mute stories. */
  story?: string;
  extras?: NudgeExtras;
  /** What browsers report of it. Absent: each message, apart. */
  receipts?: "aggregate" | "off";
};

/**
 * The identity of a notification on the screen. `threadId`: the first run of the notification; it is the tag of every
 * message, so that a later one replaces an earlier one. `sequence`: of messages in a thread the highest is to be seen;
 * 0 is the first.
 */
export type Thread = { threadId: string; sequence: number };

export type Urgency = "very-low" | "low" | "normal" | "high";

/** In place of a push service, for recipients that are in no batch. */
export const pushServiceOfUnplanned = "none";

/**
 * How often a code occurred in a run on one push service. `said`: what it said with it that Pressbell does not know.
 */
export type CodeCount = { pushService: string; code: number; n: number; said?: string | undefined };

/**
 * The totals of a run's batches: its codes, how many messages were posted a second time, and how many of the accepted
 * ones went to browsers that report displays.
 */
export type RunTotals = { codes: CodeCount[]; repeated: number; reporting: number };

/** A run as the database has it. */
export type RunRecord = {
  id: string;
  /** Null: a digest or a welcome. */
  campaignId: string | null;
  siteId: string;
  kind: RunKind;
  status: RunStatus;
  planned: boolean;
  expectedAudience: number;
  /** Recipients in no batch, because planning was given up; once the run has ended 0, as its totals have them. */
  unplanned: number;
  tenantPaused: boolean;
  sitePaused: boolean;
  /** When its first batches were planned; with local-time delivery, those of the first readers. */
  startedAt: Date | null;
  finishedAt: Date | null;
  stopRequestedAt: Date | null;
  /** The buttons of its notification. */
  actions: NudgeAction[] | null;
  /** What browsers report. Null: each message, apart. */
  receipts: "aggregate" | "off" | null;
  /** Null: all are notified as soon as they are planned. */
  localTime: LocalTime | null;
};

/**
 * What waits in a run on one push service: because the push service refuses the site's key (`blockedReason`), because
 * it asked for a rest (`restsUntil`; `isRateLimited` if that is a limit of this site), or, where both are null, because
 * it failed and is tried again.
 */
export type Waiting = {
  pushService: string;
  n: number;
  blockedReason: "unauthorized" | "forbidden" | null;
  restsUntil: Date | null;
  /** The push service limits this site. */
  isRateLimited: boolean;
};

/** The receipts of a run in one hour (its start); each message counts once per kind. */
export type ReceiptHour = { hour: Date; action1: number; action2: number } & ReceiptCounts;
export type ReceiptCounts = { displayed: number; clicked: number; dismissed: number; unsubscribed: number };
