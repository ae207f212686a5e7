import type { FaultCode } from "../../../src/faults.ts";
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
      (groups, fault) => addFault(groups, fault.line + part.lineOffset, wordsOf(fault)),
      before.groups,
    ),
    list: [...before.list, ...kept.map(({ line, reason }) => ({ line: line + part.lineOffset, reason }))],
    texts: keepsTexts
      ? [...before.texts, ...kept.map(({ line, lastLine = line }) => lines.slice(line - 1, lastLine).join("\n"))]
      : [],
  };
}

function addFault(groups: FaultGroup[], line: number, said: string): FaultGroup[] {
  const known = groups.find((group) => group.reason === said);
  if (known === undefined) return [...groups, { reason: said, count: 1, lines: [line] }];
  const lines = known.lines.length < shownLines ? [...known.lines, line] : known.lines;
  return groups.map((group) => (group === known ? { ...group, count: group.count + 1, lines } : group));
}

/** The words for the codes of wrong lines, for people who have never seen a subscription. */
const names = {
  not_valid_json: "notReadable",
  not_utf8: "notReadable",
  not_an_object: "noReaderInIt",
  line_too_long: "tooLongToBeA",
  not_a_url: "noAddressOfAPush",
  endpoint_too_long: "theAddressIsTooLong",
  unknown_push_service: "theAddressIsOfNo",
  not_an_endpoint: "theAddressIsNotOne",
  not_a_p256_point: "theKeyIsNotOn",
  not_16_bytes: "theSecretDoesNotHave",
  unknown_topic: "aTopicThatThisSite",
  left_here: "leftThisSite",
  left_elsewhere: "unsubscribedAtTheOtherService",
} as const satisfies Partial<Record<FaultCode, keyof typeof words.subscribers>>;

function wordsOf({ code, reason }: Pick<ImportedPart["faults"][number], "code" | "reason">): string {
  return Object.hasOwn(names, code) ? words.subscribers[names[code as keyof typeof names]] : reason;
}
