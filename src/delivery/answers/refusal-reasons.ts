import type { PushAnswer } from "../../egress/push/transport.ts";
import { classOf, type FinalCode, refusalCodes } from "../../runs/ledger/codes.ts";
import { type KnownRefusal, knownRefusals } from "./refusal-table.ts";

/** Characters of a push service's own words that are logged, at most: they are untrusted text. */
const longestReason = 200;

type Answered = Extract<PushAnswer, { kind: "answered" }>;

/**
 * The reason that a push service gives with a status, in its words; undefined where it gives none. Apple has
 * `{"reason":"BadJwtToken"}`; Mozilla `{"errno":109,"message":…}`, as `errno 109, …`; WNS a header, with an empty body;
 * FCM plain text or a page with a title.
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

/** The title of a page, or a text that is neither a page nor JSON. */
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
 * What an answer with a status of 300 and more means by the table of known reasons; undefined where the status alone
 * has to say it. A reason that names our key means the same with every status: Apple says `VapidPkHashMismatch` with
 * 400 and with 403. Any other means it only with its own status. Of several that fit the longest decides.
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

/** Whether a text has these words as whole words, in capitals or not: `errno 101` does not have `errno 10`. */
function contains(text: string, words: string): boolean {
  const [said, sought] = [` ${text.toLowerCase()} `, words.toLowerCase()];
  for (let at = said.indexOf(sought); at >= 0; at = said.indexOf(sought, at + 1)) {
    if (/\W/.test(said[at - 1]!) && /\W/.test(said[at + sought.length]!)) return true;
  }
  return false;
}

/**
 * What a push service says with a failure that the table does not know, for operators and owners: status and words.
 * Undefined where it is known, where nothing was said, and where the outcome is no failure.
 */
export function unknownReason(answer: PushAnswer, pushService: string, code: FinalCode): string | undefined {
  if (answer.kind !== "answered" || answer.status < 300 || classOf(code) !== "failed") return undefined;
  const said = refusalReason(pushService, answer);
  if (said === undefined || knownAmong(pushService, said).length > 0) return undefined;
  return describeAnswer(answer, pushService);
}

/**
 * One line for the log that says why a message was not taken: the status with the service's own reason, or what
 * happened to the connection. Undefined for a message that was taken.
 */
export function describeAnswer(answer: PushAnswer, pushService: string): string | undefined {
  if (answer.kind !== "answered") return answer.reason;
  const { status, headers } = answer;
  if (status <= 202 && headers["x-wns-notificationstatus"] !== "dropped") return undefined;
  const words = refusalReason(pushService, answer) ?? headers["x-wns-notificationstatus"];
  return words === undefined ? `status ${status}` : `status ${status}, ${readable(words)}`;
}

/**
 * One line without what may be the address or the token of a reader: no word of 40 characters, nor control character.
 */
function readable(words: string): string {
  const line = words.slice(0, 10 * longestReason).replaceAll(/[\p{C}\s]+/gu, " ");
  return line
    .replaceAll(/\S{40,}/g, "…")
    .slice(0, longestReason)
    .trim();
}
