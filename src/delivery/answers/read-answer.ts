import type { PushAnswer } from "../../egress/push/transport.ts";
import { acceptedCode, type FinalCode } from "../../runs/codes.ts";
import { refusalReason } from "./refusal-reasons.ts";

/**
 * What became of one message, as far as the pace is concerned. `taken`: the push service is there and answered.
 * `refused`: it did, and perhaps refuses our key. `throttled`: it asks for less. `fault`: it failed or was silent.
 * `neither`: a connection ended in good order.
 */
export type Effect = "taken" | "refused" | "throttled" | "fault" | "neither";

/**
 * What one answer means for its recipient. `final`: an end. `retry`: it was not taken, try again after `afterMs` (null:
 * after the usual backoff). `uncertain`: the message may have been taken. `restMs`: how long the push service asks to be
 * left alone, by this site, or perhaps only by this reader's messages (`perhapsReader`; site-lanes.ts tells them apart).
 * `effect`: what it says about the pace.
 */
export type Outcome = { effect: Effect } & (
  | { kind: "final"; code: FinalCode }
  | { kind: "retry"; afterMs: number | null; restMs?: number; perhapsReader?: boolean }
  | { kind: "uncertain" }
);

/** How long a service that says "too many" without a Retry-After is left alone. */
const throttledMs = 60_000;
/** However short the Retry-After, or far in the past: a service that says "too many" is not asked again at once. */
const shortestWaitMs = 1_000;
/** A Retry-After beyond this is a mistake of the service, or the message expires first anyway. */
const longestWaitMs = 24 * 60 * 60 * 1_000;

const notAllowedCode = 0x47;
const redirectedCode = 0x45;
const refusedCode = 0x46;
const droppedCode = 0x49;
const unauthorizedCode = 0x43;
const forbiddenCode = 0x44;

const codeByStatus: Record<number, FinalCode> = {
  200: acceptedCode,
  201: acceptedCode,
  202: acceptedCode,
  400: 0x41,
  401: unauthorizedCode,
  403: forbiddenCode,
  404: 0x30,
  410: 0x31,
  413: 0x42,
};

/** Not processed, by their definition: the request did not come whole, came to the wrong server, or came too early. */
const notProcessed = new Set([408, 421, 425]);

/** Connections that ended in good order, or that we gave back ourselves: nothing is wrong with the push service. */
const orderly = new Set(["goaway", "session_closed", "not_started", "closed"]);

/**
 * Reads an answer as RFC 8030 sections 5 to 8 have it, and as the four push services differ from it. `now` is the wall
 * clock in ms. Never throws, whatever was answered.
 */
export function readAnswer(answer: PushAnswer, lane: string, now: number): Outcome {
  if (answer.kind === "uncertain") return { kind: "uncertain", effect: "fault" };
  if (answer.kind === "notSent") return readNotSent(answer.reason);
  const { status, headers, body } = answer;
  const waitMs = readRetryAfter(headers["retry-after"], now);
  if (status === 429) return throttled(waitMs ?? throttledMs, lane !== "wns");
  if (status === 406 && lane === "wns") return throttled(waitMs ?? throttledMs);
  if (status >= 500) return readServerError(status, waitMs);
  if (notProcessed.has(status)) return { kind: "retry", effect: "fault", afterMs: null };
  if (lane === "wns" && status < 300) return readWnsSuccess(headers["x-wns-notificationstatus"]);
  const code = readFinal(status, lane, body);
  const isRefusal = code === unauthorizedCode || code === forbiddenCode;
  return { kind: "final", effect: isRefusal ? "refused" : "taken", code };
}

function readNotSent(reason: string): Outcome {
  if (reason === "origin_not_allowed") return { kind: "final", effect: "neither", code: notAllowedCode };
  // Refused streams are how a service says that a burst was too large (RFC 9113 section 8.7).
  const effect = reason === "refused_stream" ? "throttled" : orderly.has(reason) ? "neither" : "fault";
  return { kind: "retry", effect, afterMs: null };
}

/**
 * By RFC 8030 section 8.4 a 429 is about one subscription; services say it of all that comes from a site as well. WNS says 406
 * for "too many", for an hour or more, and 429 where the month's quota is used up.
 */
function throttled(restMs: number, perhapsReader = false): Outcome {
  return { kind: "retry", effect: "throttled", afterMs: restMs, restMs, ...(perhapsReader && { perhapsReader }) };
}

function readServerError(status: number, waitMs: number | null): Outcome {
  // Mozilla: errno 201 and 202 come with 503, and mean that the message was not taken.
  if (status === 503) return waitMs === null ? { kind: "retry", effect: "fault", afterMs: null } : throttled(waitMs);
  // It does not do such a thing, or not in this version of HTTP.
  if (status === 501 || status === 505) return { kind: "retry", effect: "fault", afterMs: null };
  // The service behind a gateway may have taken it all the same: gateways have numbers of their own, as 520 to 526.
  return { kind: "uncertain", effect: "fault" };
}

/** WNS answers 200 also for what it throws away: the reader has switched us off, or this one channel gets too much. */
function readWnsSuccess(notificationStatus: string | undefined): Outcome {
  if (notificationStatus === "dropped") return { kind: "final", effect: "taken", code: droppedCode };
  if (notificationStatus === "channelthrottled") return { kind: "retry", effect: "taken", afterMs: throttledMs };
  return { kind: "final", effect: "taken", code: acceptedCode };
}

function readFinal(status: number, lane: string, body: string): FinalCode {
  const reason = refusalReason(lane, body);
  // Apple says 403 for a token that is wrong or too old, FCM 400: it is our signature, not the subscriber.
  if (reason === "BadJwtToken" || reason === "ExpiredJwtToken" || reason === "UnauthorizedRegistration") {
    return unauthorizedCode;
  }
  return codeByStatus[status] ?? (status >= 300 && status < 400 ? redirectedCode : refusedCode);
}

/** Milliseconds that a Retry-After header asks for (RFC 9110 section 10.2.3: seconds or a date), a second to a day; or null. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, shortestWaitMs), longestWaitMs);
}

/**
 * The pause before a message is tried again, in ms: it doubles with each try from a second to five minutes, and is
 * drawn from the upper half, so that thousands that failed together do not come back together.
 */
export function backoffMs(tries: number, random: number): number {
  const longest = Math.min(1_000 * 2 ** Math.max(tries - 1, 0), 300_000);
  return longest * (0.5 + random / 2);
}
