import { type FinalCode, finalCode, finalCodes, isFinal } from "../../src/runs/ledger/codes.ts";
import { callsOf, type Evidence, leftOf, type PushReceipt, type RunEvidence } from "./history.ts";
import type { Violation } from "./violation.ts";

/** The final code for each status. Any other 3xx is a redirect, any other 4xx a refusal. */
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
/** Final codes for subscriptions that the push service no longer knows. */
const goneCodes = new Set([0x30, 0x31]);
/**
 * A worker measures the time to live from a moment before it claims its batch. So a message may expire at most this
 * much earlier than by the database's clock.
 */
const expiresEarlyMs = 5_000;

/**
 * Checks that each final code has a cause: an answer, a stop, the end of the time to live, or a reader who
 * unsubscribed. Codes for internal errors have no cause, because no test may produce them. Also checks that
 * subscriptions that are gone are deleted.
 */
export function outcomeViolations(evidence: Evidence, run: RunEvidence, receipts: PushReceipt[]): Violation[] {
  const hasCause = causesOf(evidence, run, receipts);
  const withoutCause = run.recipients.filter(
    ({ subscriberId, code }) => isFinal(code) && !hasCause(subscriberId, code),
  );
  const violations = [...Map.groupBy(withoutCause, ({ code }) => code)].map(([code, all]): Violation => {
    const reason = finalCodes[code as FinalCode]?.reason ?? "no known code";
    const text = `${all.length} of ${run.runId} end as ${reason}, for example subscriber ${all[0]!.subscriberId}`;
    return { kind: "outcome without cause", text };
  });
  if (!run.finished) return violations;
  const kept = run.recipients.filter(({ subscriberId, code }) => {
    return goneCodes.has(code) && evidence.subscribed.has(subscriberId);
  });
  if (kept.length > 0) {
    const text = `${kept.length} of ${run.runId} are gone and still subscribers, for example ${kept[0]!.subscriberId}`;
    violations.push({ kind: "gone but subscribed", text });
  }
  return violations;
}

/** Returns a function that tells whether a final code of a subscriber has a cause. `accepted` is checked elsewhere. */
function causesOf({ events, readers }: Evidence, run: RunEvidence, receipts: PushReceipt[]) {
  const answers = Map.groupBy(receipts, ({ index }) => index);
  const indexOf = new Map(readers.map(({ subscriberId, index }) => [subscriberId, index]));
  const left = leftOf(events);
  const hasLeft = (subscriberId: number) => left.has(subscriberId) || run.siteRemoved;
  // A stop that was answered 5xx, or not at all, may have taken effect.
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
