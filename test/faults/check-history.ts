import { finalCode, isFinal } from "../../src/runs/codes.ts";
import { countFaults } from "./check-counts.ts";
import { outcomeFaults } from "./check-outcomes.ts";
import { processFaults } from "./check-processes.ts";
import { lookFaults, repeatFaults } from "./check-repeats.ts";
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

/** Something that must never be found. `kind` names the promise that was broken. */
export type Fault = {
  kind:
    | "unfinished"
    | "lost"
    | "twice in a run"
    | "reached but told otherwise"
    | "told without cause"
    | "gone but subscribed"
    | "repeat not counted"
    | "repeat not foreseen"
    | "too many repeats"
    | "counts"
    | "second live run"
    | "foreign receipt"
    | "sent after stop"
    | "sent while paused"
    | "5xx"
    | "no answer"
    | "ended unasked";
  text: string;
};

/** A stop holds from its answer on after this, and a pause after that: what the README promises, in ms. */
const stopHoldsAfterMs = 1_000;
const pauseHoldsAfterMs = 2_000;

/** Ends that say "was not reached": expired, stopped, or left before. */
const untouched = new Set<number>([finalCode.unsubscribed, finalCode.expired, finalCode.stopped]);

/** Joins who was to be reached, what the push service received and what the ledger says. Returns the faults found. */
export function checkHistory(evidence: Evidence): Fault[] {
  const byRun = Map.groupBy(evidence.receipts, ({ runId }) => runId);
  return [
    ...evidence.runs.flatMap((run) => {
      const receipts = byRun.get(run.runId) ?? [];
      return [
        ...reachFaults(evidence, run, receipts),
        ...outcomeFaults(evidence, run, receipts),
        ...repeatFaults(evidence, run, receipts),
        ...countFaults(evidence, run, receipts),
        ...haltFaults(evidence, run, receipts),
      ];
    }),
    ...lookFaults(evidence),
    ...liveRunFaults(evidence),
    ...foreignFaults(evidence),
    ...answerFaults(evidence.events),
    ...processFaults(evidence.events),
  ];
}

/** Each reader of the run's site ends with an outcome, and where that is `accepted` the push service has it. */
function reachFaults({ events, readers }: Evidence, run: RunEvidence, receipts: PushReceipt[]): Fault[] {
  if (!run.finished) return [{ kind: "unfinished", text: `run ${run.runId} is ${run.status} at the end` }];
  const left = leftOf(events);
  const reached = new Set(receipts.filter((receipt) => receipt.accepted).map(({ index }) => index));
  const codes = new Map(run.recipients.map(({ subscriberId, code }) => [subscriberId, code]));
  const faults: Fault[] = [];
  if (codes.size < run.recipients.length) {
    faults.push({ kind: "twice in a run", text: `${run.recipients.length - codes.size} recipients of ${run.runId}` });
  }
  if (run.kind === "test") return faults;
  for (const { subscriberId, siteId, index } of readers) {
    if (siteId !== run.siteId) continue;
    const code = codes.get(subscriberId);
    if (code === undefined && !left.has(subscriberId)) faults.push(lost(run, subscriberId, "is in no batch"));
    if (code === undefined) continue;
    if (!isFinal(code)) faults.push(lost(run, subscriberId, `has no outcome (code ${code})`));
    if (code === finalCode.accepted && !reached.has(index))
      faults.push(lost(run, subscriberId, "is accepted without a receipt"));
    if (untouched.has(code) && reached.has(index)) {
      faults.push({ kind: "reached but told otherwise", text: `${subscriberId} in ${run.runId}: code ${code}` });
    }
  }
  return faults;
}

function lost(run: RunEvidence, subscriberId: number, how: string): Fault {
  return { kind: "lost", text: `subscriber ${subscriberId} of run ${run.runId} ${how}` };
}

/** Nothing is posted a second after a stop was answered, and nothing while a pause stands for two. */
function haltFaults(evidence: Evidence, run: RunEvidence, receipts: PushReceipt[]): Fault[] {
  const { events, lagMs } = evidence;
  const faults: Fault[] = [];
  const stoppedAt = Math.min(...stopsOf(events, run.runId).map((call) => call.endedAt));
  const late = receipts.filter(({ at }) => at > stoppedAt + stopHoldsAfterMs + lagMs);
  if (late.length > 0) {
    const ms = Math.round(Math.max(...late.map(({ at }) => at)) - stoppedAt);
    faults.push({ kind: "sent after stop", text: `${late.length} messages of ${run.runId}, up to ${ms} ms after` });
  }
  if (run.kind === "test") return faults;
  for (const { from, to } of pausesOf(events, run.siteId)) {
    const during = receipts.filter(({ at }) => at > from + pauseHoldsAfterMs + lagMs && at < to);
    if (during.length === 0) continue;
    const ms = Math.round(Math.max(...during.map(({ at }) => at)) - from);
    faults.push({ kind: "sent while paused", text: `${during.length} messages of ${run.runId}, up to ${ms} ms after` });
  }
  return faults;
}

function stopsOf(events: HistoryEvent[], runId: string): Call[] {
  return callsOf(events).filter(({ path, outcome }) => path === `/v1/runs/${runId}/stop` && outcome === "ok");
}

function pausesOf(events: HistoryEvent[], siteId: string): Span[] {
  const turns = events.filter((event) => event.kind === "pause" && event.siteId === siteId);
  return spansOf(turns.map(({ at, ...turn }) => ({ at, begins: (turn as { event: string }).event === "paused" })));
}

/** A campaign has one live run at most: in the database, at the push service, and in what callers were told. */
function liveRunFaults({ events, runs }: Evidence): Fault[] {
  const campaigns = Map.groupBy(
    runs.filter((run) => run.kind === "live"),
    (run) => run.campaignId,
  );
  const faults: Fault[] = [];
  for (const [campaignId, live] of campaigns) {
    if (live.length > 1)
      faults.push({ kind: "second live run", text: `${live.length} runs of campaign ${campaignId}` });
  }
  const sends = callsOf(events).filter(({ path, outcome }) => path.endsWith("/send") && outcome === "ok");
  for (const [path, answers] of Map.groupBy(sends, (call) => call.path)) {
    const first = answers.filter(({ body }) => body.duplicate === false).length;
    const told = new Set(answers.map(({ body }) => body.runId)).size;
    if (first > 1)
      faults.push({ kind: "second live run", text: `${first} calls of ${path} were told to be the first` });
    if (told > 1) faults.push({ kind: "second live run", text: `the callers of ${path} were told of ${told} runs` });
  }
  return faults;
}

/** No reader of one site is posted a run of another. */
function foreignFaults({ readers, receipts, runs }: Evidence): Fault[] {
  const siteOfReader = new Map(readers.map(({ index, siteId }) => [index, siteId]));
  const siteOfRun = new Map(runs.map(({ runId, siteId }) => [runId, siteId]));
  const foreign = receipts.filter(({ index, runId }) => {
    const [reader, run] = [siteOfReader.get(index), siteOfRun.get(runId)];
    return reader === undefined || run === undefined || reader !== run;
  });
  return foreign.length === 0 ? [] : [{ kind: "foreign receipt", text: `${foreign.length} messages` }];
}

/** A 5xx is a 503 with Retry-After, while the database is away or its connections were just cut; none otherwise. */
function answerFaults(events: HistoryEvent[]): Fault[] {
  const away = databaseOutages(events);
  return callsOf(events)
    .filter(({ outcome }) => outcome === "failed")
    .filter(({ status, hasRetryAfter, at, endedAt }) => {
      const isExcused = away.some(({ from, to }) => endedAt >= from && at <= to + recoveredAfterMs);
      return !(isExcused && status === 503 && hasRetryAfter);
    })
    .map(({ method, path, status }) => ({ kind: "5xx", text: `${method} ${path} answered ${status}` }));
}
