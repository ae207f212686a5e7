/**
 * The state of a recipient is one byte, its code. Every figure of a run is counted from these bytes (docs/states.md).
 *
 *   00        pending: nothing was tried
 *   01 – 0F   intent of try n: the message may be on the wire. Uncertain after a crash
 *   10 – 1F   try n was not taken, and the message will be tried again
 *   20 and up final: the first hex digit is the class, the byte the reason
 */
export const pendingCode = 0x00;

/** The final codes by name. Other code uses these names and the sets below, never a number. */
export const finalCode = {
  accepted: 0x20,
  notFound: 0x30,
  gone: 0x31,
  unsubscribed: 0x32,
  internal: 0x40,
  badRequest: 0x41,
  payloadTooLarge: 0x42,
  unauthorized: 0x43,
  forbidden: 0x44,
  redirected: 0x45,
  refused: 0x46,
  originNotAllowed: 0x47,
  invalidKey: 0x48,
  dropped: 0x49,
  expired: 0x50,
  waitTooLong: 0x51,
  rateLimited: 0x52,
  stopped: 0x60,
  muted: 0x61,
  readerQuiet: 0x62,
  frequencyCap: 0x63,
  notReplaced: 0x64,
  closed: 0x65,
  alreadySent: 0x66,
  classCap: 0x67,
  heldOut: 0x68,
  uncertain: 0x70,
} as const;

export type FinalCode = (typeof finalCode)[keyof typeof finalCode];

/** The counts of a run. Always: audience = pending + accepted + gone + failed + expired + notSent + unknown. */
export type CountName = "pending" | "accepted" | "gone" | "failed" | "expired" | "notSent" | "unknown";
export type Counts = Record<CountName, number>;

/** The class of a code by its first hex digit. */
const classOfDigit: CountName[] = ["pending", "pending", "accepted", "gone", "failed", "expired", "notSent", "unknown"];

/**
 * The meaning of each final code. `class`: the class that the run counts it in. `reason`: its name in the API. The
 * explanations are in ../messages.ts.
 */
export const finalCodes = {
  [finalCode.accepted]: { class: "accepted", reason: "accepted" },
  [finalCode.notFound]: { class: "gone", reason: "not_found" },
  [finalCode.gone]: { class: "gone", reason: "gone" },
  [finalCode.unsubscribed]: { class: "gone", reason: "unsubscribed" },
  [finalCode.internal]: { class: "failed", reason: "internal" },
  [finalCode.badRequest]: { class: "failed", reason: "bad_request" },
  [finalCode.payloadTooLarge]: { class: "failed", reason: "payload_too_large" },
  [finalCode.unauthorized]: { class: "failed", reason: "unauthorized" },
  [finalCode.forbidden]: { class: "failed", reason: "forbidden" },
  [finalCode.redirected]: { class: "failed", reason: "redirected" },
  [finalCode.refused]: { class: "failed", reason: "refused" },
  [finalCode.originNotAllowed]: { class: "failed", reason: "origin_not_allowed" },
  [finalCode.invalidKey]: { class: "failed", reason: "invalid_key" },
  [finalCode.dropped]: { class: "failed", reason: "dropped" },
  [finalCode.expired]: { class: "expired", reason: "ttl" },
  [finalCode.waitTooLong]: { class: "expired", reason: "wait_too_long" },
  [finalCode.rateLimited]: { class: "expired", reason: "rate_limited" },
  [finalCode.stopped]: { class: "notSent", reason: "stopped" },
  [finalCode.muted]: { class: "notSent", reason: "muted" },
  [finalCode.readerQuiet]: { class: "notSent", reason: "reader_quiet" },
  [finalCode.frequencyCap]: { class: "notSent", reason: "frequency_cap" },
  [finalCode.notReplaced]: { class: "notSent", reason: "not_replaced" },
  [finalCode.closed]: { class: "notSent", reason: "closed" },
  [finalCode.alreadySent]: { class: "notSent", reason: "already_sent" },
  [finalCode.classCap]: { class: "notSent", reason: "class_cap" },
  [finalCode.heldOut]: { class: "notSent", reason: "held_out" },
  [finalCode.uncertain]: { class: "unknown", reason: "uncertain" },
} as const satisfies Record<FinalCode, { class: CountName; reason: string }>;

/** The HTTP status of a push service for a code, if exactly one status leads to it (RFC 8030 sections 5 and 7). */
export const statusOfCode: Partial<Record<FinalCode, number>> = {
  [finalCode.accepted]: 201,
  [finalCode.notFound]: 404,
  [finalCode.gone]: 410,
  [finalCode.badRequest]: 400,
  [finalCode.payloadTooLarge]: 413,
  [finalCode.unauthorized]: 401,
  [finalCode.forbidden]: 403,
};

/** The codes of recipients whose browser has the message, or may have it. */
export const reachedCodes: number[] = [finalCode.accepted, finalCode.uncertain, finalCode.alreadySent];

/** The codes by which the push service no longer knows the subscription, which is then deleted. */
export const goneCodes: FinalCode[] = [finalCode.notFound, finalCode.gone];

/**
 * The codes by which the push service refuses the VAPID key, or the subscription belongs to another key. They are
 * counted per subscriber and per push service.
 */
export const refusalCodes: FinalCode[] = [finalCode.unauthorized, finalCode.forbidden];

/** Failures that an owner or operator can fix: signature, key, another refusal, a push service that is not listed. */
export const fixableCodes: FinalCode[] = [...refusalCodes, finalCode.refused, finalCode.originNotAllowed];

/** Returns the final codes of one class. */
export function codesOfClass(name: CountName): FinalCode[] {
  return Object.values(finalCode).filter((code) => classOf(code) === name);
}

/** Returns the class that a run counts a code in. */
export function classOf(code: number): CountName {
  return classOfDigit[code >> 4]!;
}

/** Returns how many recipients of a batch are in each class. */
export function countCodes(codes: Uint8Array): Counts {
  const counts = { pending: 0, accepted: 0, gone: 0, failed: 0, expired: 0, notSent: 0, unknown: 0 };
  for (const code of codes) counts[classOf(code)]++;
  return counts;
}

const lastTry = 0x0f;

/** Returns whether the code is an intent: the message may have left, and its outcome is not known. */
export function isUncertain(code: number): boolean {
  return code > pendingCode && code <= lastTry;
}

/** Returns how many recipients have had neither an answer nor a failed try. */
export function countUnanswered(codes: Uint8Array): number {
  let unanswered = 0;
  for (const code of codes) if (code <= lastTry) unanswered++;
  return unanswered;
}

/** Returns whether a code is final: nothing more is tried. */
export function isFinal(code: number): boolean {
  return code >= finalCode.accepted;
}

/** Returns the number of tries so far: 0 for a pending code. */
export function triesOf(code: number): number {
  return code & lastTry;
}

/** Returns the intent to commit before the next POST. Tries after the fifteenth keep the number 15. */
export function intentAfter(code: number): number {
  return Math.min(triesOf(code) + 1, lastTry);
}

/** Returns the code of a try that was surely not taken and will be repeated. */
export function retryCode(intent: number): number {
  return 0x10 | intent;
}
