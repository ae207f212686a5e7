import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import {
  type Columns,
  type CsvLayout,
  columnRoles,
  type FileLayout,
  isComplete,
} from "../subscribers/import/file-layout.ts";
import { type Ends, endsOfTable } from "../subscribers/import/find-ends.ts";
import { guessLayout, sampleBytes } from "../subscribers/import/guess-layout.ts";
import { UsageError } from "./command.ts";

const gzipMark = Buffer.from([0x1f, 0x8b]);
const zipMark = Buffer.from("PK\x03\x04");

/** The roles of columns. Several columns may have the role `left` or `subscribed`. */
const roles = [...columnRoles, "left", "subscribed"] as const;

/**
 * Returns the layout of a file, guessed from its beginning, and the columns that show which readers have left.
 * `columns`: ROLE=NAME,… for a CSV file whose columns are not recognized. Throws `UsageError`, which names the
 * columns, if a CSV file lacks a required one.
 */
export async function layoutOfFile(
  file: string,
  columns: string | undefined,
): Promise<{ layout: FileLayout; ends: Ends }> {
  const sample = await readSample(file).catch(refusePacked);
  if (sample.subarray(0, 2).equals(gzipMark))
    throw new UsageError("the file is packed with gzip: let its name end with .gz");
  if (sample.subarray(0, 4).equals(zipMark))
    throw new UsageError("the file is a zip archive or an Excel workbook: unpack it, or save it as CSV");
  const { layout, header, records, ends } = guessLayout(sample);
  if (layout.format !== "csv") {
    if (columns !== undefined) throw new UsageError("--columns is for CSV files, and this is none");
    return { layout, ends };
  }
  const named = withColumns(layout, readColumns(columns, header));
  if (isComplete(named)) return { layout: named, ends: endsOfTable(header, records, named.columns) };
  const names = header.length === 0 ? "It has no names of columns." : `Its columns are: ${header.join(", ")}.`;
  throw new UsageError(
    `no column with endpoint, p256dh and auth was found. ${names} Give them by --columns ROLE=NAME,…`,
  );
}

type Named = { role: (typeof roles)[number]; at: number };

function readColumns(text: string | undefined, header: string[]): Named[] {
  if (text === undefined) return [];
  const pairs = text.split(",").map((pair) => pair.split("=").map((side) => side.trim()));
  return pairs.map(([given = "", name = ""]) => {
    const at = header.indexOf(name);
    const role = roles.find((known) => known === given);
    if (role === undefined) throw new UsageError(`--columns: ${given} must be one of ${roles.join(", ")}`);
    if (at < 0)
      throw new UsageError(`--columns: the file has no column ${name}. Its columns are: ${header.join(", ")}.`);
    return { role, at };
  });
}

/** Adds the columns named by the user to those that were recognized. Each column keeps one role. */
function withColumns(layout: CsvLayout, named: Named[]): CsvLayout {
  const columns: Columns = { ...layout.columns };
  for (const { role, at } of named) {
    for (const kind of ["left", "subscribed"] as const) columns[kind] = columns[kind]?.filter((other) => other !== at);
    if (role === "left" || role === "subscribed") columns[role] = [...(columns[role] ?? []), at];
    else columns[role] = at;
  }
  return { ...layout, columns };
}

/**
 * Returns a text that names the columns that show which readers have left, and columns that seem to, but are not used.
 * The text is empty if there are none.
 */
export function describeEnds({ used, unused }: Ends): string {
  const named = unused.map(({ name, values }) => (values === undefined ? name : `${name} (${values.join(", ")})`));
  const usedText = used.length === 0 ? "" : `Who has left is left out, by: ${used.join(", ")}.\n`;
  const unusedText =
    named.length === 0
      ? ""
      : `Not used, though it looks as if it said who has left: ${named.join(", ")}. If it does, stop, and say so with ` +
        "--columns left=NAME (a yes or a time says that they have left) or subscribed=NAME (a no does).\n";
  return usedText + unusedText;
}

/** Throws `UsageError` for an error of zlib. Its codes begin with Z_. */
function refusePacked(error: NodeJS.ErrnoException): never {
  if (!error.code?.startsWith("Z_")) throw error;
  throw new UsageError("the file ends with .gz, and is not packed with gzip");
}

async function readSample(file: string): Promise<Buffer> {
  const stream = createReadStream(file);
  const bytes = file.endsWith(".gz") ? stream.pipe(createGunzip()) : stream;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length >= sampleBytes) break;
  }
  stream.destroy();
  return Buffer.concat(pieces).subarray(0, sampleBytes);
}
