import type { FileLayout } from "../../../src/subscribers/import/file-layout.ts";
import type { ImportedPart } from "../api/subscriber-calls.ts";
import { words } from "../words/words.ts";
import { linesOf } from "./file-parts.ts";

/** The most wrong lines that are kept in memory. The sums count all of them. */
const maxKept = 20_000;
const shownLines = 3;

/** Lines that are wrong for the same reason. `lines`: the numbers of the first of them. */
export type FaultGroup = { reason: string; count: number; lines: number[] };

/** The wrong lines of a file. `texts`: the lines as they are in the file, without the line break at their end. */
export type WrongLines = { groups: FaultGroup[]; list: { line: number; reason: string }[]; texts: string[] };

export const noWrongLines: WrongLines = { groups: [], list: [], texts: [] };

/**
 * Adds the wrong lines of a part, which begins after `lineOffset` lines of the file. Keeps their texts to be saved
 * and fixed, unless the file is JSON, whose lines are not records.
 */
export function addWrongLines(
  before: WrongLines,
  { faults }: Pick<ImportedPart, "faults">,
  part: { bytes: Uint8Array; lineOffset: number; format: FileLayout["format"] },
): WrongLines {
  if (faults.length === 0) return before;
  const room = Math.max(0, maxKept - before.list.length);
  const kept = faults.slice(0, room);
  const keepsTexts = part.format !== "json";
  const lines = keepsTexts && kept.length > 0 ? linesOf(part.bytes, part.format) : [];
  return {
    groups: faults.reduce(
      (groups, { line, reason }) => addFault(groups, line + part.lineOffset, reason),
      before.groups,
    ),
    list: [...before.list, ...kept.map(({ line, reason }) => ({ line: line + part.lineOffset, reason }))],
    texts: keepsTexts
      ? [...before.texts, ...kept.map(({ line, lastLine = line }) => lines.slice(line - 1, lastLine).join("\n"))]
      : [],
  };
}

function addFault(groups: FaultGroup[], line: number, reason: string): FaultGroup[] {
  const said = wordsOf(reason);
  const known = groups.find((group) => group.reason === said);
  if (known === undefined) return [...groups, { reason: said, count: 1, lines: [line] }];
  const lines = known.lines.length < shownLines ? [...known.lines, line] : known.lines;
  return groups.map((group) => (group === known ? { ...group, count: group.count + 1, lines } : group));
}

/** The service's reasons why a line is wrong, in words for people who have never seen a subscription. */
const reasons: Record<string, string> = {
  get "is not valid JSON"() {
    return words.subscribers.notReadable;
  },
  get "is not valid UTF-8"() {
    return words.subscribers.notReadable;
  },
  get "is not a JSON object"() {
    return words.subscribers.noReaderInIt;
  },
  get "is longer than 64 KiB"() {
    return words.subscribers.tooLongToBeA;
  },
  get "endpoint is not a URL"() {
    return words.subscribers.noAddressOfAPush;
  },
  get "endpoint is longer than 2,048 characters"() {
    return words.subscribers.theAddressIsTooLong;
  },
  get "endpoint is not of a known push service (see PUSH_SERVICES)"() {
    return words.subscribers.theAddressIsOfNo;
  },
  get "endpoint is no endpoint that this push service gives to browsers"() {
    return words.subscribers.theAddressIsNotOne;
  },
  get "keys.p256dh is not a point on P-256"() {
    return words.subscribers.theKeyIsNotOn;
  },
  get "keys.auth is not 16 bytes"() {
    return words.subscribers.theSecretDoesNotHave;
  },
  get "topics is no topic of this site"() {
    return words.subscribers.aTopicThatThisSite;
  },
  get "has left this site or was erased here, and was not asked to be brought back"() {
    return words.subscribers.leftThisSite;
  },
  get "has unsubscribed at the other service"() {
    return words.subscribers.unsubscribedAtTheOtherService;
  },
};

function wordsOf(reason: string): string {
  return reasons[reason.replace(/^topics\[\d+\]/, "topics")] ?? reason;
}
