import type { PushAnswer } from "../../egress/push/transport.ts";
import { classOf, type FinalCode, refusalCodes } from "../../runs/ledger/codes.ts";
import { type KnownRefusal, knownRefusals } from "./refusal-table.ts";

/** The most characters of a push service's own words that are logged, because they are untrusted text. */
const longestReason = 200;

type Answered = Extract<PushAnswer, { kind: "answered" }>;

/**
 * Returns the reason that a push service gives with a status, in its words; undefined if it gives none. Apple sends
 * `{"reason":"BadJwtToken"}`. Mozilla sends `{"errno":109,"message":…}`, returned as `errno 109, …`. WNS sends a header
 * with an empty body. FCM sends plain text or a page with a title.
 */
export function refusalReason(pushService: string, { headers, body }: Answered): string | undefined {
  if (pushService === "wns") return headers["x-wns-error-description"];
  const { reason, errno, message, error } = fieldsOf(body);
  if (pushService === "apple") return textOf(reason);
  if (pushService === "mozilla") {
    return typeof errno === "number" ? [`errno ${errno}`, textOf(message)].filter(Boolean).join(", ") : undefined;
  }
  return textOf(reason) ?? textOf(message) ?? textOf(error) ?? textOf(fieldsOf(error).message) ?? plainText(body);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

/** Returns the title of a page, or a text that is neither a page nor JSON. */
function plainText(body: string): string | undefined {
  const text = body.trim();
  if (text.startsWith("<")) return textOf(/<title>([^<]*)/i.exec(text)?.[1]);
  return /^[[{]/.test(text) ? undefined : textOf(text);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  if (typeof value !== "string" || !value.trimStart().startsWith("{")) return {};
  try {
    return fieldsOf(JSON.parse(value));
  } catch {
    return {};
  }
}

/**
 * Returns the code of an answer with a status of 300 or more, by the table of known reasons; undefined if only the
 * status decides. A reason that names the site's key has the same code with every status: Apple says
 * `VapidPkHashMismatch` with 400 and with 403. Other reasons count only with their own status. If several fit, the
 * longest decides.
 */
export function readRefusal(pushService: string, answer: Answered): FinalCode | undefined {
  return knownAmong(pushService, refusalReason(pushService, answer))
    .filter(({ status, code }) => status === answer.status || refusalCodes.includes(code))
    .toSorted((a, b) => b.reason.length - a.reason.length)[0]?.code;
}

function knownAmong(pushService: string, said: string | undefined): KnownRefusal[] {
  if (said === undefined) return [];
  return knownRefusals.filter((known) => known.pushService === pushService && contains(said, known.reason));
}

/** Returns whether a text has these words as whole words, ignoring case: `errno 101` does not contain `errno 10`. */
function contains(text: string, words: string): boolean {
  const [said, sought] = [` ${text.toLowerCase()} `, words.toLowerCase()];
  for (let at = said.indexOf(sought); at >= 0; at = said.indexOf(sought, at + 1)) {
    if (/\W/.test(said[at - 1]!) && /\W/.test(said[at + sought.length]!)) return true;
  }
  return false;
}

/**
 * Returns the status and words of a failure that the table does not know, for operators and owners. Returns undefined
 * if the answer is known, has no words, or is not a failure.
 */
export function unknownReason(answer: PushAnswer, pushService: string, code: FinalCode): string | undefined {
  if (answer.kind !== "answered" || answer.status < 300 || classOf(code) !== "failed") return undefined;
  const said = refusalReason(pushService, answer);
  if (said === undefined || knownAmong(pushService, said).length > 0) return undefined;
  return describeAnswer(answer, pushService);
}

/**
 * Returns one line for the log that says why a message was not taken: the status with the service's own reason, or
 * what happened to the connection. Returns undefined for a message that was taken.
 */
export function describeAnswer(answer: PushAnswer, pushService: string): string | undefined {
  if (answer.kind !== "answered") return answer.reason;
  const { status, headers } = answer;
  if (status <= 202 && headers["x-wns-notificationstatus"] !== "dropped") return undefined;
  const words = refusalReason(pushService, answer) ?? headers["x-wns-notificationstatus"];
  return words === undefined ? `status ${status}` : `status ${status}, ${readable(words)}`;
}

/** Returns one line without a reader's address or token: no word of 40 characters, no control character. */
function readable(words: string): string {
  const line = words.slice(0, 10 * longestReason).replaceAll(/[\p{C}\s]+/gu, " ");
  return line
    .replaceAll(/\S{40,}/g, "…")
    .slice(0, longestReason)
    .trim();
}
