import type { PushAnswer } from "../../egress/push/transport.ts";
import { type FinalCode, finalCode, refusalCodes, statusOfCode } from "../../runs/ledger/codes.ts";
import { readRefusal } from "./refusal-reasons.ts";

/**
 * How an answer changes the congestion window.
 * - `taken`: the push service answered.
 * - `refused`: it answered, and may refuse the site's key.
 * - `throttled`: it asks for fewer messages.
 * - `fault`: it failed or was silent.
 * - `neither`: the window does not change, for example after a connection that ended in good order.
 */
export type Effect = "taken" | "refused" | "throttled" | "fault" | "neither";

/**
 * The meaning of one answer for its recipient.
 * - `final`: nothing more is tried.
 * - `retry`: the message was not taken. It is tried again after `afterMs` (null: after the usual back-off).
 * - `uncertain`: the message may have been taken.
 *
 * `restMs`: how long the push service asks this site to wait. `perhapsReader`: the wait may concern only this
 * reader's messages (asked-waits.ts decides).
 */
export type Outcome = { effect: Effect } & (
  | { kind: "final"; code: FinalCode }
  | { kind: "retry"; afterMs: number | null; restMs?: number; perhapsReader?: boolean }
  | { kind: "uncertain" }
);

/** The rest after "too many requests" without a Retry-After. */
const throttledMs = 60_000;
/** The shortest rest: a Retry-After may be 0 or a date in the past. */
const shortestWaitMs = 1_000;
/** The longest rest: a longer Retry-After is a mistake of the service, or the message expires first. */
const longestWaitMs = 24 * 60 * 60 * 1_000;

/** The final code of a status, the same for every push service. */
const codeOfStatus = new Map<number, FinalCode>([
  ...Object.entries(statusOfCode).map(([code, status]): [number, FinalCode] => [status, Number(code) as FinalCode]),
  // WNS answers 200; 202 is a stored message whose receipt comes later (RFC 8030 section 5.1).
  [200, finalCode.accepted],
  [202, finalCode.accepted],
]);

/**
 * Statuses that by definition mean that the request was not processed: it was incomplete, misdirected, or too early
 * (RFC 9110, RFC 8470).
 */
const notProcessed = new Set([408, 421, 425]);

/** Connections that ended in good order, or that Pressbell closed: nothing is wrong with the push service. */
const orderly = new Set(["goaway", "session_closed", "not_started", "closed"]);

/**
 * Returns the outcome of an answer, by RFC 8030 sections 5 to 8 and the differences between the four push services.
 * `now`: the wall clock, ms since 1970. Never throws, whatever the answer.
 */
export function readAnswer(answer: PushAnswer, pushService: string, now: number): Outcome {
  if (answer.kind === "uncertain") return { kind: "uncertain", effect: "fault" };
  if (answer.kind === "notSent") return readNotSent(answer.reason);
  const { status, headers } = answer;
  const waitMs = readRetryAfter(headers["retry-after"], now);
  if (status === 429) return throttled(waitMs ?? throttledMs, pushService !== "wns");
  if (status === 406 && pushService === "wns") return throttled(waitMs ?? throttledMs);
  if (status >= 500) return readServerError(status, waitMs);
  if (notProcessed.has(status)) return { kind: "retry", effect: "fault", afterMs: null };
  if (pushService === "wns" && status < 300) return readWnsSuccess(headers["x-wns-notificationstatus"]);
  const code = (status >= 300 ? readRefusal(pushService, answer) : undefined) ?? codeOf(status);
  return { kind: "final", effect: refusalCodes.includes(code) ? "refused" : "taken", code };
}

function readNotSent(reason: string): Outcome {
  if (reason === "origin_not_allowed") return { kind: "final", effect: "neither", code: finalCode.originNotAllowed };
  // A service refuses streams if a burst was too large (RFC 9113 section 8.7).
  const effect = reason === "refused_stream" ? "throttled" : orderly.has(reason) ? "neither" : "fault";
  return { kind: "retry", effect, afterMs: null };
}

/**
 * Returns the outcome of "too many requests". By RFC 8030 section 8.4 a 429 concerns one subscription, but services
 * also use it for everything from a site. WNS sends 406 for "too many", for an hour or more. It sends 429 if the
 * month's quota is used up.
 */
function throttled(restMs: number, perhapsReader = false): Outcome {
  return { kind: "retry", effect: "throttled", afterMs: restMs, restMs, ...(perhapsReader && { perhapsReader }) };
}

function readServerError(status: number, waitMs: number | null): Outcome {
  // Mozilla sends errno 201 and 202 with 503: the message was not taken.
  if (status === 503) return waitMs === null ? { kind: "retry", effect: "fault", afterMs: null } : throttled(waitMs);
  // The service does not support the request or this version of HTTP, so it processed nothing.
  if (status === 501 || status === 505) return { kind: "retry", effect: "fault", afterMs: null };
  // The service behind a gateway may have taken the message. Gateways also use their own codes, such as 520 to 526.
  return { kind: "uncertain", effect: "fault" };
}

/**
 * Returns the outcome of a success of WNS. WNS answers 200 even if it drops a message, because notifications are
 * switched off or this channel gets too many.
 */
function readWnsSuccess(notificationStatus: string | undefined): Outcome {
  if (notificationStatus === "dropped") return { kind: "final", effect: "taken", code: finalCode.dropped };
  if (notificationStatus === "channelthrottled") return { kind: "retry", effect: "taken", afterMs: throttledMs };
  return { kind: "final", effect: "taken", code: finalCode.accepted };
}

function codeOf(status: number): FinalCode {
  return codeOfStatus.get(status) ?? (status >= 300 && status < 400 ? finalCode.redirected : finalCode.refused);
}

/**
 * Returns the ms of a Retry-After header (RFC 9110 section 10.2.3: seconds or a date), from a second to a day.
 * Returns null if the header is missing or invalid.
 */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, shortestWaitMs), longestWaitMs);
}

/**
 * Returns the back-off before the next try, ms. The longest back-off doubles with each try, from one second to five
 * minutes. The result is drawn from its upper half, so that thousands of messages that failed together are not
 * retried together.
 */
export function backoffMs(tries: number, random: number): number {
  const longest = Math.min(1_000 * 2 ** Math.max(tries - 1, 0), 300_000);
  return longest * (0.5 + random / 2);
}
