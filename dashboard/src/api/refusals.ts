import type { ErrorCode } from "../../../src/errors.ts";
import { language } from "../words/language.ts";
import { words } from "../words/words.ts";

/** What belongs to the API, the command line or our own code, and says nothing to an editor. */
export const foreign =
  /\b(API|JSON|UUID|HTTP|[Tt]enants?|header|Idempotency|Bearer|Retry-After|PUBLIC_URL|DATA_DIR|ALLOW_\w+|CLI)\b|forceSend|for this key|`|--|_|requestId|[\da-f]{8}-[\da-f]{4}-/;

/** Where the service may have a sentence for people about this very case, in English, such as why a link does not work. */
const saidByService: ReadonlySet<string> = new Set<ErrorCode>([
  ...(["unauthenticated", "sign_in_failed", "forbidden", "setup_token_required", "not_found", "last_owner"] as const),
  ...(["confirmation_required", "has_subscribers", "fetch_failed", "rate_limited"] as const),
]);

/** An error answer. `from`, `to` and `meanwhile`: of an `illegal_transition`. */
export type Refusal = {
  code?: string;
  message: string;
  retryAfterSeconds?: number;
  from?: string;
  to?: string;
  meanwhile?: string;
};

/** Returns what another has done meanwhile, if it is known. */
export function wordsOfMeanwhile(what: string): string | undefined {
  const known: Record<string, string> = words.refusals.meanwhile;
  return Object.hasOwn(known, what) ? known[what] : undefined;
}

function wordsOfMove({ from = "", to = "", meanwhile }: Refusal): string | undefined {
  // An update of a notification, for one, asks for no other status: that it was sent is why it can be updated.
  if (meanwhile === undefined && from === to) return undefined;
  return wordsOfMeanwhile(meanwhile ?? from);
}

/** Returns the dashboard's words for an answer of the service; of one that has to wait, with how long. */
export function messageOf(answer: Refusal): string {
  const { code = "", message, retryAfterSeconds } = answer;
  const said = (code === "illegal_transition" && wordsOfMove(answer)) || wordsOf(code, message);
  return retryAfterSeconds === undefined
    ? said
    : words.refusals.tryAgainIn({ said, time: duration(retryAfterSeconds) });
}

function wordsOf(code: string, message: string): string {
  // Every code has its place in the words: the compiler asks for it.
  const ofCodes: Record<ErrorCode, string> = words.refusals.ofCodes;
  if (!Object.hasOwn(ofCodes, code)) return language === "en" ? message : ofCodes.internal;
  const mayStay = saidByService.has(code) && language === "en" && !foreign.test(message);
  return mayStay ? message : ofCodes[code as ErrorCode];
}

/** Formats a duration in whole minutes, such as "1 minute"; below 90 seconds in seconds, from 90 minutes in hours. */
function duration(seconds: number): string {
  if (seconds < 90) return words.refusals.seconds({ n: Math.ceil(seconds) });
  if (seconds < 5_400) return words.refusals.minutes({ n: Math.ceil(seconds / 60) });
  return words.refusals.hours({ n: Math.ceil(seconds / 3_600) });
}

/** Returns why a confirmed send did not start. */
export function wordsOfEnd(refusal: string | null): string {
  const ends: Record<string, string> = words.refusals.ends;
  const code = refusal ?? "";
  const message = words.refusals.lookAtItAgain;
  if (Object.hasOwn(ends, code)) return ends[code]!;
  return Object.hasOwn(words.refusals.ofCodes, code) ? messageOf({ code, message }) : message;
}
