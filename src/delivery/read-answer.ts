import type { PushAnswer } from "../egress/push-transport.ts";
import type { FinalCode } from "../runs/codes.ts";

/**
 * What one answer means for its recipient. `final`: an end. `retry`: it was not taken, try again after `afterMs` (null:
 * after the usual backoff); with `holdsLane` the whole push service asks for that pause. `uncertain`: the message may
 * have been taken.
 */
export type Outcome =
  | { kind: "final"; code: FinalCode }
  | { kind: "retry"; afterMs: number | null; holdsLane: boolean }
  | { kind: "uncertain" };

/** How long a service that says "too many" without a Retry-After is left alone. */
const throttledMs = 60_000;
/** However short the Retry-After, or far in the past: a service that says "too many" is not asked again at once. */
const shortestWaitMs = 1_000;
/** How long a service that cannot be reached is left alone. */
const awayMs = 2_000;
/** A Retry-After beyond this is a mistake of the service, or the message expires first anyway. */
const longestWaitMs = 24 * 60 * 60 * 1_000;

const finalByStatus: Record<number, FinalCode> = {
  200: 0x20,
  201: 0x20,
  202: 0x20,
  400: 0x41,
  401: 0x43,
  403: 0x44,
  404: 0x30,
  410: 0x31,
  413: 0x42,
};

/** Reads an answer (RFC 8030 sections 5 to 8; WNS says 406 for "too many"). `now` is the wall clock in ms. */
export function readAnswer(answer: PushAnswer, lane: string, now: number): Outcome {
  if (answer.kind === "uncertain") return { kind: "uncertain" };
  if (answer.kind === "notSent") {
    if (answer.reason === "origin_not_allowed") return { kind: "final", code: 0x47 };
    // Where nobody answers at all, the rest of the batch need not be tried one by one.
    const isAway = /^connect/.test(answer.reason);
    return { kind: "retry", afterMs: isAway ? awayMs : null, holdsLane: isAway };
  }
  const { status, headers } = answer;
  const code = finalByStatus[status];
  if (code !== undefined) return { kind: "final", code };
  const waitMs = readRetryAfter(headers["retry-after"], now);
  if (status === 429 || (status === 406 && lane === "wns")) {
    return { kind: "retry", afterMs: waitMs ?? throttledMs, holdsLane: true };
  }
  if (status === 503 && waitMs !== null) return { kind: "retry", afterMs: waitMs, holdsLane: true };
  // The service behind a gateway may have taken it all the same.
  if (status === 500 || status === 502 || status === 504) return { kind: "uncertain" };
  if (status >= 500) return { kind: "retry", afterMs: null, holdsLane: false };
  return { kind: "final", code: status >= 300 && status < 400 ? 0x45 : 0x46 };
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
