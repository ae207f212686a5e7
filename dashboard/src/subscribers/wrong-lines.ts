import type { ImportedPart } from "../api/subscriber-calls.ts";

/** The most wrong lines that are kept in memory; the sums count all. */
const maxKept = 20_000;
const shownLines = 3;

/** Lines that are wrong for one reason. `lines`: the first of them. */
export type FaultGroup = { reason: string; count: number; lines: number[] };

/** Wrong lines of a file. `texts`: as they are in the file, which ends before the next one begins. */
export type WrongLines = { groups: FaultGroup[]; list: { line: number; reason: string }[]; texts: string[] };

export const noWrongLines: WrongLines = { groups: [], list: [], texts: [] };

/** Returns the number of line breaks. */
export function lineBreaks(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => (byte === 0x0a ? sum + 1 : sum), 0);
}

/**
 * Adds the wrong lines of a part, which begins after `lineOffset` lines of the file. `keepsTexts`: whether the lines of the
 * file are those of its records, so that they can be saved and mended.
 */
export function addWrongLines(
  before: WrongLines,
  { faults }: Pick<ImportedPart, "faults">,
  part: { bytes: Uint8Array; lineOffset: number; keepsTexts: boolean },
): WrongLines {
  if (faults.length === 0) return before;
  const room = Math.max(0, maxKept - before.list.length);
  const kept = faults.slice(0, room);
  const lines = part.keepsTexts && kept.length > 0 ? new TextDecoder().decode(part.bytes).split("\n") : [];
  return {
    groups: faults.reduce(
      (groups, { line, reason }) => addFault(groups, line + part.lineOffset, reason),
      before.groups,
    ),
    list: [...before.list, ...kept.map(({ line, reason }) => ({ line: line + part.lineOffset, reason }))],
    texts: part.keepsTexts
      ? [...before.texts, ...kept.map(({ line, lastLine = line }) => lines.slice(line - 1, lastLine).join("\n"))]
      : [],
  };
}

function addFault(groups: FaultGroup[], line: number, reason: string): FaultGroup[] {
  const words = wordsOf(reason);
  const known = groups.find((group) => group.reason === words);
  if (known === undefined) return [...groups, { reason: words, count: 1, lines: [line] }];
  const lines = known.lines.length < shownLines ? [...known.lines, line] : known.lines;
  return groups.map((group) => (group === known ? { ...group, count: group.count + 1, lines } : group));
}

/** What the service says of a line, in words for people who have never seen a subscription. */
const words: Record<string, string> = {
  "is not valid JSON": "not readable",
  "is not valid UTF-8": "not readable",
  "is not a JSON object": "no reader in it",
  "is longer than 64 KiB": "too long to be a reader",
  "endpoint is not a URL": "no address of a push service (such as a row of an e-mail or an app)",
  "endpoint is longer than 2,048 characters": "the address is too long",
  "endpoint is not of a known push service (see PUSH_SERVICES)": "the address is of no push service that browsers use",
  "endpoint is no endpoint that this push service gives to browsers": "the address is not one that browsers get",
  "keys.p256dh is not a point on P-256": "the key is not on the curve: it is damaged, or from another column",
  "keys.auth is not 16 bytes": "the secret does not have 16 bytes: it is damaged, or from another column",
  "topics is no topic of this site": "a topic that this site does not have",
  "has unsubscribed at the other service": "unsubscribed at the other service, and stays out",
};

function wordsOf(reason: string): string {
  return words[reason.replace(/^topics\[\d+\]/, "topics")] ?? reason;
}
