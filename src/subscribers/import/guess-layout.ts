import { parse } from "csv-parse/sync";
import type { ParseTask } from "../../parser.ts";
import { type CsvLayout, type FileLayout, isComplete } from "./file-layout.ts";
import { type Ends, endsOfFields, endsOfTable } from "./find-ends.ts";
import { flatten, objectIn } from "./flatten.ts";
import { guessColumns, isHeader } from "./guess-columns.ts";
import { objectsIn } from "./json-objects.ts";
import { csvOptions } from "./read-records.ts";

/** The bytes at the beginning of a file that are enough for `guessLayout`. */
export const sampleBytes = 64 * 1024;
const recordsLookedAt = 200;

/**
 * A guess at the layout of a file. `header`: the names of the columns, empty if there are none. `records`: the first
 * records of a CSV file. `ends`: the columns, or members in JSON, that say who has left.
 */
export type GuessedLayout = { layout: FileLayout; header: string[]; records: string[][]; ends: Ends };

/** Guesses the layout of a file from its first bytes. The last record may be cut off. */
export function guessLayout(sample: Buffer, isWhole = sample.length < sampleBytes): GuessedLayout {
  const text = sample.toString("utf8").replace(/^\ufeff/, "");
  const start = text.trimStart();
  if (start.startsWith("[")) return guessOfJson("json", sample);
  if (start.startsWith("{")) return guessOfJson(isObject(firstLine(start)) ? "ndjson" : "json", sample);
  const whole = isWhole ? text : text.slice(0, Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
  const guesses = ([",", ";", "\t", "|"] as const).map((delimiter) => guessCsv(whole, delimiter));
  const best = guesses.toSorted((a, b) => scoreOf(b) - scoreOf(a))[0]!;
  // Nothing is found in these lines. They are read as broken lines of NDJSON, the default.
  const { columns } = best.layout;
  if (Object.keys(columns).length === 0 && best.width < 2) return guessOfJson("ndjson", sample);
  const { layout, header, records } = best;
  return { layout, header, records, ends: endsOfTable(header, records, columns) };
}

/** Runs `guessLayout` in a thread. `isWhole`: the bytes are the whole file. */
export function guessFromBytes({ bytes, isWhole }: { bytes: Uint8Array; isWhole: boolean }): GuessedLayout {
  // Bytes that were cloned into a thread are no longer a Buffer.
  return guessLayout(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), isWhole);
}
export const layoutTask: ParseTask<Parameters<typeof guessFromBytes>[0], GuessedLayout> = {
  module: new URL(import.meta.url),
  run: guessFromBytes,
};

function guessOfJson(format: "json" | "ndjson", sample: Buffer): GuessedLayout {
  const objects = objectsIn(sample, recordsLookedAt).map(objectIn);
  const ends = endsOfFields(objects.flatMap((object) => (object === undefined ? [] : flatten(object))));
  return { layout: { format }, header: [], records: [], ends };
}

type Guess = { layout: CsvLayout; header: string[]; records: string[][]; width: number };

function guessCsv(text: string, delimiter: CsvLayout["delimiter"]): Guess {
  const all = parse(text, {
    ...csvOptions(delimiter),
    skip_records_with_error: true,
    to: recordsLookedAt,
  }) as string[][];
  const hasHeader = all.length > 0 && isHeader(all[0]!);
  const header = hasHeader ? all[0]! : [];
  const records = hasHeader ? all.slice(1) : all;
  const columns = guessColumns(hasHeader ? header : undefined, records);
  const width = Math.max(0, ...all.map((record) => record.length));
  return { layout: { format: "csv", delimiter, hasHeader, columns }, header, records, width };
}

function scoreOf({ layout, width }: Guess): number {
  return (isComplete(layout) ? 10_000 : 0) + 1_000 * Object.keys(layout.columns).length + Math.min(width, 999);
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}

function isObject(line: string): boolean {
  return line.trimEnd().endsWith("}") || line.length >= sampleBytes;
}
