import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, type InfoRecord, type Options, parse } from "csv-parse";
import { faults } from "../../faults.ts";
import type { CsvLayout, FileLayout } from "./file-layout.ts";
import { readLines } from "./file-lines.ts";
import { readJsonObjects } from "./json-objects.ts";
import { type ReadRecord, readCells, readJsonText } from "./read-record.ts";

/**
 * A record of a file. It spans the lines `line` to `lastLine` (from 1) and holds what should be a subscription, or the
 * reason why there is none.
 */
export type FileRecord = { line: number; lastLine: number } & (ReadRecord | { isBlank: true });

/** Yields the records of a file. Holds one chunk and one record in memory, whatever the size of the file. */
export function readRecords(chunks: AsyncIterable<Buffer>, layout: FileLayout): AsyncGenerator<FileRecord> {
  if (layout.format === "csv") return readCsv(chunks, layout);
  return layout.format === "json" ? readJson(chunks) : readNdjson(chunks);
}

async function* readNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  let line = 0;
  for await (const read of readLines(chunks)) {
    const at = { line: ++line, lastLine: line };
    if ("fault" in read) yield { ...at, fault: read.fault };
    else if (read.text.trim() === "") yield { ...at, isBlank: true };
    else yield { ...at, ...readJsonText(read.text) };
  }
}

async function* readJson(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  for await (const { text, ...at } of readJsonObjects(chunks)) {
    yield text === undefined ? { ...at, fault: faults.line_too_long() } : { ...at, ...readJsonText(text) };
  }
}

/** Returns the options of the parser. They are lenient, because exports are written in many ways. */
export const csvOptions = (delimiter: string) =>
  ({
    delimiter,
    // All three are listed, because the parser would otherwise use only the first that it finds. If somebody added a
    // header by hand, it would take the lines after that for one record.
    record_delimiter: ["\r\n", "\n", "\r"],
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: 64 * 1024,
  }) satisfies Options;

async function* readCsv(chunks: AsyncIterable<Buffer>, layout: CsvLayout): AsyncGenerator<FileRecord> {
  const parser = parse({ ...csvOptions(layout.delimiter), info: true });
  // A fault of the source also destroys the parser, and so ends the loop below.
  const feeding = pipeline(Readable.from(chunks), parser).catch(() => {});
  let [line, isFirst, twice] = [1, true, 0];
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
      // The parser counts a CRLF within quotes as two lines.
      twice += record.reduce((sum, cell) => sum + cell.split("\r\n").length - 1, 0);
      const at = { line, lastLine: Math.max(line, info.lines - twice) };
      line = at.lastLine + 1;
      if (!isFirst || !layout.hasHeader) yield { ...at, ...readCells(record, layout) };
      isFirst = false;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { line, lastLine: line, fault: faults.open_quotes() };
  }
  await feeding;
}
