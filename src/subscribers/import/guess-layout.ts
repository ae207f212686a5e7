import { parse } from "csv-parse/sync";
import { type CsvLayout, type FileLayout, isComplete } from "./file-layout.ts";
import { guessColumns, isHeader } from "./guess-columns.ts";
import { csvOptions } from "./read-records.ts";

/** As many bytes of the beginning of a file are enough for `guessLayout`. */
export const sampleBytes = 64 * 1024;
const recordsLookedAt = 200;

/** A guess at the layout of a file. `header`: names of the columns, where there are any; `records`: the first ones (CSV). */
export type GuessedLayout = { layout: FileLayout; header: string[]; records: string[][] };

/** Guesses what a file is from its first bytes, whose last record may be cut off. */
export function guessLayout(sample: Buffer): GuessedLayout {
  const text = sample.toString("utf8").replace(/^\ufeff/, "");
  const start = text.trimStart();
  if (start.startsWith("[")) return { layout: { format: "json" }, header: [], records: [] };
  if (start.startsWith("{"))
    return { layout: { format: isObject(firstLine(start)) ? "ndjson" : "json" }, header: [], records: [] };
  const isWhole = sample.length < sampleBytes;
  const whole = isWhole ? text : text.slice(0, Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
  const guesses = ([",", ";", "\t", "|"] as const).map((delimiter) => guessCsv(whole, delimiter));
  const best = guesses.toSorted((a, b) => scoreOf(b) - scoreOf(a))[0]!;
  // Lines in which nothing is found: broken ones of the format that everything else has.
  const { columns } = best.layout;
  if (Object.keys(columns).length === 0 && best.width < 2)
    return { layout: { format: "ndjson" }, header: [], records: [] };
  const { layout, header, records } = best;
  return { layout, header, records };
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
