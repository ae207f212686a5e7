import { finalCode, isFinal } from "../../src/runs/ledger/codes.ts";
import { countViolations } from "./check-counts.ts";
import { outcomeViolations } from "./check-outcomes.ts";
import { processViolations } from "./check-processes.ts";
import { repeatViolations, snapshotViolations } from "./check-repeats.ts";
import {
  type Call,
  callsOf,
  databaseOutages,
  type Evidence,
  type HistoryEvent,
  leftOf,
  type PushReceipt,
  type RunEvidence,
  recoveredAfterMs,
  type Span,
  spansOf,
} from "./history.ts";
import type { Violation } from "./violation.ts";

/** The latest moments, in ms after its answer, at which a stop and a pause take effect, as the README promises. */
const stopHoldsAfterMs = 1_000;
const pauseHoldsAfterMs = 2_000;

/** Final codes of recipients who were not reached: expired, stopped, or unsubscribed before the message. */
const notReachedCodes = new Set<number>([finalCode.unsubscribed, finalCode.expired, finalCode.stopped]);

/** Compares the audience, the receipts of the push service and the ledger. Returns the violations found. */
export function checkHistory(evidence: Evidence): Violation[] {
  const byRun = Map.groupBy(evidence.receipts, ({ runId }) => runId);
  return [
    ...evidence.runs.flatMap((run) => {
      const receipts = byRun.get(run.runId) ?? [];
      return [
        ...reachViolations(evidence, run, receipts),
        ...outcomeViolations(evidence, run, receipts),
        ...repeatViolations(evidence, run, receipts),
        ...countViolations(evidence, run, receipts),
        ...haltViolations(evidence, run, receipts),
      ];
    }),
    ...snapshotViolations(evidence),
    ...liveRunViolations(evidence),
    ...foreignViolations(evidence),
    ...answerViolations(evidence.events),
    ...processViolations(evidence.events),
  ];
}

/**
 * Checks that each reader of the run's site has one outcome, and that each `accepted` has a receipt of the push
 * service.
 */
function reachViolations({ events, readers }: Evidence, run: RunEvidence, receipts: PushReceipt[]): Violation[] {
  if (!run.finished) return [{ kind: "unfinished", text: `run ${run.runId} is ${run.status} at the end` }];
  const left = leftOf(events);
  const reached = new Set(receipts.filter((receipt) => receipt.accepted).map(({ index }) => index));
  const codes = new Map(run.recipients.map(({ subscriberId, code }) => [subscriberId, code]));
  const violations: Violation[] = [];
  if (codes.size < run.recipients.length) {
    violations.push({
      kind: "twice in a run",
      text: `${run.recipients.length - codes.size} recipients of ${run.runId}`,
    });
  }
  if (run.kind === "test") return violations;
  for (const { subscriberId, siteId, index } of readers) {
    if (siteId !== run.siteId) continue;
    const code = codes.get(subscriberId);
    if (code === undefined && !left.has(subscriberId)) violations.push(lost(run, subscriberId, "is in no batch"));
    if (code === undefined) continue;
    if (!isFinal(code)) violations.push(lost(run, subscriberId, `has no outcome (code ${code})`));
    if (code === finalCode.accepted && !reached.has(index))
      violations.push(lost(run, subscriberId, "is accepted without a receipt"));
    if (notReachedCodes.has(code) && reached.has(index)) {
      violations.push({ kind: "reached but ended otherwise", text: `${subscriberId} in ${run.runId}: code ${code}` });
    }
  }
  return violations;
}

function lost(run: RunEvidence, subscriberId: number, how: string): Violation {
  return { kind: "lost", text: `subscriber ${subscriberId} of run ${run.runId} ${how}` };
}

/**
 * Checks that nothing is posted later than one second after the answer to a stop, or two seconds after a pause began.
 */
function haltViolations(evidence: Evidence, run: RunEvidence, receipts: PushReceipt[]): Violation[] {
  const { events, lagMs } = evidence;
  const violations: Violation[] = [];
  const stoppedAt = Math.min(...stopsOf(events, run.runId).map((call) => call.endedAt));
  const late = receipts.filter(({ at }) => at > stoppedAt + stopHoldsAfterMs + lagMs);
  if (late.length > 0) {
    const ms = Math.round(Math.max(...late.map(({ at }) => at)) - stoppedAt);
    violations.push({ kind: "sent after stop", text: `${late.length} messages of ${run.runId}, up to ${ms} ms after` });
  }
  if (run.kind === "test") return violations;
  for (const { from, to } of pausesOf(events, run.siteId)) {
    const during = receipts.filter(({ at }) => at > from + pauseHoldsAfterMs + lagMs && at < to);
    if (during.length === 0) continue;
    const ms = Math.round(Math.max(...during.map(({ at }) => at)) - from);
    violations.push({
      kind: "sent while paused",
      text: `${during.length} messages of ${run.runId}, up to ${ms} ms after`,
    });
  }
  return violations;
}

function stopsOf(events: HistoryEvent[], runId: string): Call[] {
  return callsOf(events).filter(({ path, outcome }) => path === `/v1/runs/${runId}/stop` && outcome === "ok");
}

function pausesOf(events: HistoryEvent[], siteId: string): Span[] {
  const turns = events.filter((event) => event.kind === "pause" && event.siteId === siteId);
  return spansOf(turns.map(({ at, ...turn }) => ({ at, begins: (turn as { event: string }).event === "paused" })));
}

/**
 * Checks that a campaign has at most one live run: in the database, at the push service, and in the answers to callers.
 */
function liveRunViolations({ events, runs }: Evidence): Violation[] {
  const campaigns = Map.groupBy(
    runs.filter((run) => run.kind === "live"),
    (run) => run.campaignId,
  );
  const violations: Violation[] = [];
  for (const [campaignId, live] of campaigns) {
    if (live.length > 1)
      violations.push({ kind: "second live run", text: `${live.length} runs of campaign ${campaignId}` });
  }
  const sends = callsOf(events).filter(({ path, outcome }) => path.endsWith("/send") && outcome === "ok");
  for (const [path, answers] of Map.groupBy(sends, (call) => call.path)) {
    const first = answers.filter(({ body }) => body.duplicate === false).length;
    const named = new Set(answers.map(({ body }) => body.runId)).size;
    if (first > 1)
      violations.push({ kind: "second live run", text: `${first} calls of ${path} were answered as the first` });
    if (named > 1) violations.push({ kind: "second live run", text: `the answers of ${path} name ${named} runs` });
  }
  return violations;
}

/** Checks that no reader of one site gets messages of another site's run. */
function foreignViolations({ readers, receipts, runs }: Evidence): Violation[] {
  const siteOfReader = new Map(readers.map(({ index, siteId }) => [index, siteId]));
  const siteOfRun = new Map(runs.map(({ runId, siteId }) => [runId, siteId]));
  const foreign = receipts.filter(({ index, runId }) => {
    const [reader, run] = [siteOfReader.get(index), siteOfRun.get(runId)];
    return reader === undefined || run === undefined || reader !== run;
  });
  return foreign.length === 0 ? [] : [{ kind: "foreign receipt", text: `${foreign.length} messages` }];
}

/**
 * Checks that the only 5xx is a 503 with Retry-After, while the database is away or shortly after its connections were
 * cut.
 */
function answerViolations(events: HistoryEvent[]): Violation[] {
  const away = databaseOutages(events);
  return callsOf(events)
    .filter(({ outcome }) => outcome === "failed")
    .filter(({ status, hasRetryAfter, at, endedAt }) => {
      const isExcused = away.some(({ from, to }) => endedAt >= from && at <= to + recoveredAfterMs);
      return !(isExcused && status === 503 && hasRetryAfter);
    })
    .map(({ method, path, status }) => ({ kind: "5xx", text: `${method} ${path} answered ${status}` }));
}
