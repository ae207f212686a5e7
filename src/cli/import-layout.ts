import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { type ColumnRole, columnRoles, type FileLayout, isComplete } from "../subscribers/import/file-layout.ts";
import { guessLayout, sampleBytes } from "../subscribers/import/guess-layout.ts";
import { UsageError } from "./command.ts";

const gzipMark = Buffer.from([0x1f, 0x8b]);
const zipMark = Buffer.from("PK\x03\x04");

/**
 * Returns what a file is, guessed from its beginning. `columns`: ROLE=NAME,… for a CSV file whose columns are not found.
 * Throws `UsageError`, which names the columns, if a CSV file has not all of them.
 */
export async function layoutOfFile(file: string, columns: string | undefined): Promise<FileLayout> {
  const sample = await readSample(file).catch(refusePacked);
  if (sample.subarray(0, 2).equals(gzipMark))
    throw new UsageError("the file is packed with gzip: let its name end with .gz");
  if (sample.subarray(0, 4).equals(zipMark))
    throw new UsageError("the file is a zip archive or an Excel workbook: unpack it, or save it as CSV");
  const { layout, header } = guessLayout(sample);
  if (layout.format !== "csv") {
    if (columns !== undefined) throw new UsageError("--columns is for CSV files, and this is none");
    return layout;
  }
  const named = { ...layout, columns: { ...layout.columns, ...readColumns(columns, header) } };
  if (isComplete(named)) return named;
  const names = header.length === 0 ? "It has no names of columns." : `Its columns are: ${header.join(", ")}.`;
  throw new UsageError(
    `no column with endpoint, p256dh and auth was found. ${names} Give them by --columns ROLE=NAME,…`,
  );
}

function readColumns(text: string | undefined, header: string[]): Partial<Record<ColumnRole, number>> {
  if (text === undefined) return {};
  const pairs = text.split(",").map((pair) => pair.split("=").map((side) => side.trim()));
  return Object.fromEntries(
    pairs.map(([role = "", name = ""]) => {
      const at = header.indexOf(name);
      if (!columnRoles.some((known) => known === role))
        throw new UsageError(`--columns: ${role} must be one of ${columnRoles.join(", ")}`);
      if (at < 0)
        throw new UsageError(`--columns: the file has no column ${name}. Its columns are: ${header.join(", ")}.`);
      return [role, at];
    }),
  );
}

/** Throws `UsageError` for a fault of zlib, whose codes begin with Z. */
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
