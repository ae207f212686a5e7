import { type FinalCode, finalCode, finalCodes, isFinal } from "../../src/runs/codes.ts";
import type { Fault } from "./check-history.ts";
import { callsOf, type Evidence, leftOf, type PushReceipt, type RunEvidence } from "./history.ts";

/** What each answer tells the reader's run; another of the 3xx is a redirect, and another of the 4xx a refusal. */
const codeByStatus = new Map([
  [400, 0x41],
  [401, 0x43],
  [403, 0x44],
  [404, 0x30],
  [410, 0x31],
  [413, 0x42],
]);
const redirectedCode = 0x45;
const refusedCode = 0x46;
const throttled = 429;
/** Ends by which the push service says that it no longer knows the subscription. */
const goneCodes = new Set([0x30, 0x31]);
/** A worker counts the time to live from before it asked for its batch: so much earlier than the database, at most. */
const expiresEarlyMs = 5_000;

/**
 * Each final code has its cause: an answer that says so, a stop, the end of the time to live, or that the reader left.
 * Those of our own faults have none: no trial may bring them about. And whom the push service no longer knows is removed.
 */
export function outcomeFaults(evidence: Evidence, run: RunEvidence, receipts: PushReceipt[]): Fault[] {
  const hasCause = causesOf(evidence, run, receipts);
  const baseless = run.recipients.filter(({ subscriberId, code }) => isFinal(code) && !hasCause(subscriberId, code));
  const faults = [...Map.groupBy(baseless, ({ code }) => code)].map(([code, all]): Fault => {
    const reason = finalCodes[code as FinalCode]?.reason ?? "no known code";
    const text = `${all.length} of ${run.runId} end as ${reason}, as subscriber ${all[0]!.subscriberId}`;
    return { kind: "told without cause", text };
  });
  if (!run.finished) return faults;
  const kept = run.recipients.filter(({ subscriberId, code }) => {
    return goneCodes.has(code) && evidence.subscribed.has(subscriberId);
  });
  if (kept.length > 0) {
    const text = `${kept.length} of ${run.runId} are gone and still subscribers, as ${kept[0]!.subscriberId}`;
    faults.push({ kind: "gone but subscribed", text });
  }
  return faults;
}

/** Tells of a reader of the run whether anything explains its final code. That of `accepted` is looked at elsewhere. */
function causesOf({ events, readers }: Evidence, run: RunEvidence, receipts: PushReceipt[]) {
  const answers = Map.groupBy(receipts, ({ index }) => index);
  const indexOf = new Map(readers.map(({ subscriberId, index }) => [subscriberId, index]));
  const left = leftOf(events);
  const hasLeft = (subscriberId: number) => left.has(subscriberId) || run.siteRemoved;
  // What was answered with a 5xx, or not at all, may have been done all the same.
  const stops = callsOf(events).filter(({ path, outcome }) => {
    return path === `/v1/runs/${run.runId}/stop` && outcome !== "refused";
  });
  const isStopped = stops.length > 0 || run.siteRemoved;
  const isExpired = (run.finishedAt ?? Number.POSITIVE_INFINITY) >= run.expiresAt - expiresEarlyMs;
  return (subscriberId: number, code: number): boolean => {
    if (code === finalCode.accepted) return true;
    if (code === finalCode.unsubscribed) return hasLeft(subscriberId);
    if (code === finalCode.expired) return isExpired;
    if (code === finalCode.stopped) return isStopped;
    if (code === finalCode.uncertain)
      return run.onUncertain === "skip" || isStopped || isExpired || hasLeft(subscriberId);
    const answered = answers.get(indexOf.get(subscriberId) ?? -1) ?? [];
    return answered.some(({ status }) => codeOf(status) === code);
  };
}

function codeOf(status: number): number | undefined {
  const known = codeByStatus.get(status);
  if (known !== undefined || status < 300 || status >= 500 || status === throttled) return known;
  return status < 400 ? redirectedCode : refusedCode;
}
