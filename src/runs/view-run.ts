import type { LocalTime } from "../local-time.ts";
import { type Said, said } from "../messages.ts";
import type { HeadlineTestView } from "./headline-test/headline-test.ts";
import { isHeldByPause, type RunKind } from "./kinds.ts";
import { type CountName, type Counts, type FinalCode, finalCode, finalCodes } from "./ledger/codes.ts";
import { messageOfCode, runMessages } from "./messages.ts";
import {
  type AfterClick,
  type CodeCount,
  type NudgeAction,
  pushServiceOfUnplanned,
  type ReceiptCounts,
  type ReceiptHour,
  type RunRecord,
  type Waiting,
} from "./run.ts";
import { type ScreenTime, type TimeToScreen, timeToScreenOf } from "./screen-times.ts";
import type { RunStatus } from "./states.ts";
import type { WaveView } from "./waves/waves.ts";

/**
 * A reason why messages have a class. `said`: status and words of the push service, if Pressbell does not know them.
 */
export type Reason = Said & {
  class: CountName;
  reason: string;
  pushService: string;
  count: number;
  said?: string;
};

/** A run in the form of the API. */
export type RunView = Counts &
  ReceiptCounts & {
    runId: string;
    /** Null for a digest, a welcome, a win-back or a fire drill. */
    campaignId: string | null;
    kind: RunKind;
    status: RunStatus;
    /** The pause that halts the run; null if none does. */
    heldBy: "tenant_paused" | "site_paused" | null;
    audience: number;
    repeated: number;
    /** How many accepted messages went to browsers that report displays. */
    reporting: number;
    reasons: Reason[];
    /** `aggregate`: reports do not tell readers apart. `off`: browsers report nothing. */
    receipts: "full" | "aggregate" | "off";
    receiptsByHour: ({ hour: string } & ReceiptCounts)[];
    /** Null if there are too few displays. `goalSeconds`: the site's goal for `p90Seconds`; null if it has none. */
    timeToScreen: (TimeToScreen & { goalSeconds: number | null }) | null;
    /**
     * What followed clicks, most frequent first. A reader counts once for each name, so no count is higher than the
     * clicks.
     */
    afterClick: AfterClick[];
    /** How often each button was clicked. Absent if there are no buttons. */
    actions?: (NudgeAction & { clicked: number })[];
    /** Absent if there is no headline test. */
    headlineTest?: HeadlineTestView;
    /**
     * `localTime` and `waves` are absent if all readers are notified at the same moment. `waves` has the planned waves,
     * in the order of their moments.
     */
    localTime?: LocalTime;
    waves?: WaveView[];
    startedAt: string | null;
    finishedAt: string | null;
    stoppedAt: string | null;
  };

type Received = { hours?: ReceiptHour[]; screens?: ScreenTime[]; afterClick?: AfterClick[] };

/**
 * Returns a run in the form of the API, from its record, sums, final codes, waiting recipients, and the reports of
 * browsers: receipts by hour in order, times of displays, and what followed clicks. Recipients that are not planned
 * yet count as pending, so that the sum is right from the first moment.
 */
export function viewRun(
  record: RunRecord,
  sums: Counts & { repeated: number; reporting: number },
  codes: CodeCount[],
  waiting: Waiting[],
  { hours = [], screens = [], afterClick = [] }: Received = {},
): RunView {
  const { repeated, reporting, ...planned } = sums;
  const inBatches = Object.values(planned).reduce((total, count) => total + count, 0);
  const audience = record.planned ? inBatches + record.unplanned : Math.max(inBatches, record.expectedAudience);
  const received = sumHours(hours);
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
    reporting,
    reasons: [...waiting.map(viewWaiting), ...codes.flatMap(toReason)],
    ...received,
    receipts: record.receipts ?? "full",
    receiptsByHour: hours.map(({ hour, action1: _, action2: __, ...counts }) => ({
      hour: hour.toISOString(),
      ...counts,
    })),
    timeToScreen: withGoal(timeToScreenOf(screens), record.screenGoalSeconds),
    afterClick: afterClick.map(({ name, count }) => ({ name, count: Math.min(count, received.clicked) })),
    ...viewActions(record.actions, hours),
    startedAt: record.startedAt?.toISOString() ?? null,
    finishedAt: record.finishedAt?.toISOString() ?? null,
    stoppedAt: record.stopRequestedAt?.toISOString() ?? null,
  };
}

function withGoal(times: TimeToScreen | null, goalSeconds: number | null): RunView["timeToScreen"] {
  return times && { ...times, goalSeconds };
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

function toReason({ pushService, code, n, said: answer }: CodeCount): Reason[] {
  const final = finalCodes[code as FinalCode];
  if (final === undefined || final.class === "accepted") return [];
  const isUnplanned = pushService === pushServiceOfUnplanned && code === finalCode.internal;
  return [
    {
      class: final.class,
      reason: final.reason,
      pushService,
      count: n,
      ...said(isUnplanned ? runMessages.not_planned() : messageOfCode(code as FinalCode)),
      ...(answer !== undefined && { said: answer }),
    },
  ];
}

/** Returns why part of a run is pending, with a cure if there is one. */
export function viewWaiting({ pushService, n, blockedReason, restsUntil, isRateLimited }: Waiting): Reason {
  const reason = blockedReason ?? (restsUntil === null ? "retrying" : isRateLimited ? "rate_limited" : "throttled");
  const message = runMessages[`waiting_${reason}`]({ until: restsUntil?.toISOString() ?? "" });
  return { class: "pending", reason, pushService, count: n, ...said(message) };
}
