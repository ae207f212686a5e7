import type { ErrorCode } from "../../../src/errors.ts";
import { language } from "../words/language.ts";
import { words } from "../words/words.ts";

/** Words of the API, the command line or our own code, which mean nothing to an editor. */
export const foreign =
  /\b(API|JSON|UUID|HTTP|[Tt]enants?|header|Idempotency|Bearer|Retry-After|PUBLIC_URL|DATA_DIR|ALLOW_\w+|CLI)\b|forceSend|for this key|`|--|_|requestId|[\da-f]{8}-[\da-f]{4}-/;

/** Codes for which the service may send its own English sentence about this case, such as why a link does not work. */
const saidByService: ReadonlySet<string> = new Set<ErrorCode>([
  ...(["unauthenticated", "sign_in_failed", "forbidden", "setup_token_required", "not_found", "last_owner"] as const),
  ...(["confirmation_required", "has_subscribers", "fetch_failed", "rate_limited"] as const),
]);

/** An error answer. `from`, `to` and `meanwhile` belong to an `illegal_transition`. */
export type Refusal = {
  code?: string;
  message: string;
  retryAfterSeconds?: number;
  from?: string;
  to?: string;
  meanwhile?: string;
};

/** Returns the words for what somebody else has done meanwhile, or undefined for an unknown `what`. */
export function wordsOfMeanwhile(what: string): string | undefined {
  const known: Record<string, string> = words.refusals.meanwhile;
  return Object.hasOwn(known, what) ? known[what] : undefined;
}

function wordsOfMove({ from = "", to = "", meanwhile }: Refusal): string | undefined {
  // Some changes ask for no other status, so the status does not explain their refusal. An update of a notification
  // is one: it needs a notification that was sent.
  if (meanwhile === undefined && from === to) return undefined;
  return wordsOfMeanwhile(meanwhile ?? from);
}

/** Returns the dashboard's words for an error answer. If the request has to wait, the words say how long. */
export function messageOf(answer: Refusal): string {
  const { code = "", message, retryAfterSeconds } = answer;
  const said = (code === "illegal_transition" && wordsOfMove(answer)) || wordsOf(code, message);
  return retryAfterSeconds === undefined
    ? said
    : words.refusals.tryAgainIn({ said, time: duration(retryAfterSeconds) });
}

function wordsOf(code: string, message: string): string {
  // This type makes the compiler require words for each code.
  const ofCodes: Record<ErrorCode, string> = words.refusals.ofCodes;
  if (!Object.hasOwn(ofCodes, code)) return language === "en" ? message : ofCodes.internal;
  const mayStay = saidByService.has(code) && language === "en" && !foreign.test(message);
  return mayStay ? message : ofCodes[code as ErrorCode];
}

/**
 * Formats a duration: in seconds below 90 seconds, in hours from 90 minutes, else in whole minutes, such as "1
 * minute".
 */
function duration(seconds: number): string {
  if (seconds < 90) return words.refusals.seconds({ n: Math.ceil(seconds) });
  if (seconds < 5_400) return words.refusals.minutes({ n: Math.ceil(seconds / 60) });
  return words.refusals.hours({ n: Math.ceil(seconds / 3_600) });
}

/** Returns why a confirmed send did not start. */
export function wordsOfEnd(refusal: string | null): string {
  const ends: Record<string, string> = words.refusals.ends;
  const code = refusal ?? "";
  const message = words.refusals.reviewHint;
  if (Object.hasOwn(ends, code)) return ends[code]!;
  return Object.hasOwn(words.refusals.ofCodes, code) ? messageOf({ code, message }) : message;
}
