/**
 * A recipient of a run is one byte, its code. Everything that is shown of a run is counted from these bytes.
 *
 *   00        pending: nothing was tried
 *   01 – 0F   try n may be on the wire: its intent is committed, its outcome is not. Uncertain after a crash
 *   10 – 1F   try n came back and is to be tried again
 *   20 and up final; the first digit is the class, the byte the reason
 */
export const pending = 0x00;

/** Every final code: the class that the run counts it in, its short name, and what it means with the cure. */
export const finalCodes = {
  32: { class: "accepted", reason: "accepted", message: "Taken by the push service." },
  48: {
    class: "gone",
    reason: "not_found",
    message: "The push service no longer knows the subscription. It was removed.",
  },
  49: {
    class: "gone",
    reason: "gone",
    message: "The reader unsubscribed in the browser. The subscription was removed.",
  },
  50: { class: "gone", reason: "unsubscribed", message: "The reader left after the send and was not nudged." },
  64: { class: "failed", reason: "internal", message: "A fault of ours. Report it with the run's id." },
  65: { class: "failed", reason: "bad_request", message: "The push service refuses the request as malformed." },
  66: {
    class: "failed",
    reason: "payload_too_large",
    message: "The push service takes no message of this size. Shorten the text.",
  },
  67: {
    class: "failed",
    reason: "unauthorized",
    message: "The push service refuses our signature. Check VAPID_SUBJECT and the clock.",
  },
  68: {
    class: "failed",
    reason: "forbidden",
    message: "The subscription belongs to another VAPID key: was the site's key changed?",
  },
  69: { class: "failed", reason: "redirected", message: "The push service redirects, which is never followed." },
  70: { class: "failed", reason: "refused", message: "The push service refuses for a reason of its own." },
  71: {
    class: "failed",
    reason: "origin_not_allowed",
    message: "The push service is no longer listed in PUSH_SERVICES.",
  },
  72: { class: "failed", reason: "invalid_key", message: "The subscription's key is not a point on P-256." },
  73: {
    class: "failed",
    reason: "dropped",
    message: "The push service took it and threw it away: the reader has switched notifications off.",
  },
  80: { class: "expired", reason: "ttl", message: "The time to live ended before the push service took it." },
  96: { class: "notSent", reason: "stopped", message: "The run was stopped first." },
  112: {
    class: "unknown",
    reason: "uncertain",
    message: "Perhaps taken: its sender died or the connection broke, and it was not sent again.",
  },
} as const satisfies Record<number, { class: CountName; reason: string; message: string }>;

export type FinalCode = keyof typeof finalCodes;

/** The final codes that the program gives by itself, by name; the others are read off an answer (read-answer.ts). */
export const acceptedCode = 0x20;
export const unsubscribedCode = 0x32;
export const internalCode = 0x40;
export const invalidKeyCode = 0x48;
export const expiredCode = 0x50;
export const stoppedCode = 0x60;
export const unknownCode = 0x70;

/** What a run counts. Always audience = pending + accepted + gone + failed + expired + notSent + unknown. */
export type CountName = "pending" | "accepted" | "gone" | "failed" | "expired" | "notSent" | "unknown";
export type Counts = Record<CountName, number>;

const lastTry = 0x0f;
const classByDigit: CountName[] = ["pending", "pending", "accepted", "gone", "failed", "expired", "notSent", "unknown"];

/** How many recipients of a batch stand in each class. */
export function countCodes(codes: Uint8Array): Counts {
  const counts = { pending: 0, accepted: 0, gone: 0, failed: 0, expired: 0, notSent: 0, unknown: 0 };
  for (const code of codes) counts[classByDigit[code >> 4]!]++;
  return counts;
}

/** Whether nobody can know if this one has left: its intent is there and its outcome is not. */
export function isUncertain(code: number): boolean {
  return code > pending && code <= lastTry;
}

/** Whether the code is an end: nothing more is tried. */
export function isFinal(code: number): boolean {
  return code >= 0x20;
}

/** The tries so far: 0 for a pending one. */
export function triesOf(code: number): number {
  return code & lastTry;
}

/** The code to commit before the next try is POSTed. Tries beyond the fifteenth stay the fifteenth. */
export function intentAfter(code: number): number {
  return Math.min(triesOf(code) + 1, lastTry);
}

/** The code of a try that came back and is to be tried again. */
export function toRetry(intent: number): number {
  return 0x10 | intent;
}
