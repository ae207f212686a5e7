import type { HeadlineTestView } from "./headline-test/headline-test.ts";
import { isHeldByPause, type RunKind } from "./kinds.ts";
import { type CountName, type Counts, type FinalCode, finalCode, finalCodes, rateLimitAdvice } from "./ledger/codes.ts";
import type { RunStatus } from "./states.ts";
import type { LocalTime, WaveView } from "./waves/waves.ts";

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

/** How often a code occurred in a run on one push service. */
export type CodeCount = { pushService: string; code: number; n: number };

/** The totals of a run's batches: its codes, and how many messages were posted a second time. */
export type RunTotals = { codes: CodeCount[]; repeated: number };

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

export type Reason = { class: CountName; reason: string; pushService: string; count: number; message: string };

/** The receipts of a run in one hour (its start); each message counts once per kind. */
export type ReceiptHour = { hour: Date; action1: number; action2: number } & ReceiptCounts;
export type ReceiptCounts = { displayed: number; clicked: number; dismissed: number; unsubscribed: number };

/** A run as the API shows it. */
export type RunView = Counts &
  ReceiptCounts & {
    runId: string;
    /** Null: a digest or a welcome. */
    campaignId: string | null;
    kind: RunKind;
    status: RunStatus;
    /** What halts it: a pause, or nothing. */
    heldBy: "tenant_paused" | "site_paused" | null;
    audience: number;
    repeated: number;
    reasons: Reason[];
    /** `aggregate`: nothing tells two readers' reports apart. `off`: browsers report nothing. */
    receipts: "full" | "aggregate" | "off";
    receiptsByHour: ({ hour: string } & ReceiptCounts)[];
    /** How often each button was clicked. Absent without buttons. */
    actions?: (NudgeAction & { clicked: number })[];
    /** Absent without a headline test. */
    headlineTest?: HeadlineTestView;
    /**
     * Both absent where all readers are notified at the same moment. Waves: those that are planned, by their moments.
     */
    localTime?: LocalTime;
    waves?: WaveView[];
    startedAt: string | null;
    finishedAt: string | null;
    stoppedAt: string | null;
  };

/**
 * Shapes a run for the API from its record, sums, final codes, what waits, and its hours in order. Until planning has
 * paged the whole audience the rest of it counts as pending, so the sum holds from the first moment.
 */
export function viewRun(
  record: RunRecord,
  sums: Counts & { repeated: number },
  codes: CodeCount[],
  waiting: Waiting[],
  hours: ReceiptHour[] = [],
): RunView {
  const { repeated, ...planned } = sums;
  const inBatches = Object.values(planned).reduce((total, count) => total + count, 0);
  const audience = record.planned ? inBatches + record.unplanned : Math.max(inBatches, record.expectedAudience);
  const canBePaused = isHeldByPause(record.kind) && record.finishedAt === null;
  return {
    runId: record.id,
    campaignId: record.campaignId,
    kind: record.kind,
    status: record.status,
    heldBy: !canBePaused ? null : record.tenantPaused ? "tenant_paused" : record.sitePaused ? "site_paused" : null,
    audience,
    ...planned,
    pending: planned.pending + audience - inBatches,
    repeated,
    reasons: [...waiting.map(viewWaiting), ...codes.flatMap(toReason)],
    ...sumHours(hours),
    receipts: record.receipts ?? "full",
    receiptsByHour: hours.map(({ hour, action1: _, action2: __, ...counts }) => ({
      hour: hour.toISOString(),
      ...counts,
    })),
    ...viewActions(record.actions, hours),
    startedAt: record.startedAt?.toISOString() ?? null,
    finishedAt: record.finishedAt?.toISOString() ?? null,
    stoppedAt: record.stopRequestedAt?.toISOString() ?? null,
  };
}

function viewActions(actions: NudgeAction[] | null, hours: ReceiptHour[]): Pick<RunView, "actions"> {
  if (!actions?.length) return {};
  const sum = (name: "action1" | "action2") => hours.reduce((total, hour) => total + hour[name], 0);
  return { actions: actions.map((action, i) => ({ ...action, clicked: sum(i === 0 ? "action1" : "action2") })) };
}

function sumHours(hours: ReceiptHour[]): ReceiptCounts {
  const sum = (name: keyof ReceiptCounts) => hours.reduce((total, hour) => total + hour[name], 0);
  return {
    displayed: sum("displayed"),
    clicked: sum("clicked"),
    dismissed: sum("dismissed"),
    unsubscribed: sum("unsubscribed"),
  };
}

function toReason({ pushService, code, n }: CodeCount): Reason[] {
  const final = finalCodes[code as FinalCode];
  if (final === undefined || final.class === "accepted") return [];
  const isUnplanned = pushService === pushServiceOfUnplanned && code === finalCode.internal;
  return [
    {
      class: final.class,
      reason: final.reason,
      pushService,
      count: n,
      message: isUnplanned ? unplanned : final.message,
    },
  ];
}

const unplanned =
  "The audience could not be read to its end, as the database failed or was too slow again and again. These readers were not notified. Report it with the run's id.";

/** Why part of a run is pending, with the cure where there is one. */
export function viewWaiting({ pushService, n, blockedReason, restsUntil, isRateLimited }: Waiting): Reason {
  const reason = blockedReason ?? (restsUntil === null ? "retrying" : isRateLimited ? "rate_limited" : "throttled");
  const messages = {
    unauthorized:
      "The push service refuses our signature, so nothing is sent there for minutes at a time. Check VAPID_SUBJECT and the clock.",
    forbidden:
      "The push service refuses the site's VAPID key, so nothing is sent there for minutes at a time. Was the key changed?",
    throttled: `The push service asks us to wait until ${restsUntil?.toISOString()}. It is tried again then; what the time to live ends before that expires.`,
    rate_limited: `The push service takes only so many messages a minute from this site, and asks us to wait until ${restsUntil?.toISOString()}. What the time to live ends before that expires. ${rateLimitAdvice}`,
    retrying:
      "The push service fails, is silent, or takes no more for these readers just now. It is tried again until the time to live ends.",
  };
  return { class: "pending", reason, pushService, count: n, message: messages[reason] };
}
