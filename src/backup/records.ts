import { z } from "zod";
import { BackupError } from "./backup-error.ts";
import type { ByteReader } from "./byte-reader.ts";

/** The first record of a backup. Times: ISO 8601, by the database's clock. */
export type Manifest = {
  createdAt: string;
  /** The names of the migrations that were applied to the database. */
  migrations: string[];
  /** The setting SECRET_KEY. Without it, sealed values cannot be opened. */
  secretKey: string;
};

/** The first record of a file with one site. `site`: its row, without the private key. `privateKey`: base64url. */
export type SiteManifest = {
  createdAt: string;
  migrations: string[];
  site: { id: string; name: string; vapid_public_key: string } & Record<string, unknown>;
  privateKey: string;
};

/** A table, with its columns in the order of the data. */
export type TableHead = { name: string; columns: string[] };

/** The last number that an identity column has given. */
export type SequenceState = { table: string; column: string; last: number };

/**
 * One record. `data`: a part of the output of COPY … TO STDOUT for the table before it. `rows`: the end of a table,
 * with its number of rows. `end`: the end of the backup. `site`: the first record of a file with one site, instead of
 * the manifest.
 */
export type BackupRecord =
  | { kind: "manifest"; value: Manifest }
  | { kind: "table"; value: TableHead }
  | { kind: "data"; bytes: Buffer }
  | { kind: "rows"; value: number }
  | { kind: "end"; value: { sequences: SequenceState[] } }
  | { kind: "site"; value: SiteManifest };

/** The first byte of each kind of record. The bytes are stored, so they never change. */
const codes = { manifest: 1, table: 2, data: 3, rows: 4, end: 5, site: 6 } as const;
const kinds = Object.keys(codes) as BackupRecord["kind"][];
/** The longest content of one record. A reader never holds more of a file, whatever length the file claims. */
export const maxRecordBytes = 2 ** 20;

/** The schema of each kind's JSON. A stranger who knows the passphrase may have written the file. */
const names = z.array(z.string());
const shapes = {
  manifest: z.looseObject({ createdAt: z.string(), migrations: names, secretKey: z.string() }),
  table: z.looseObject({ name: z.string(), columns: names }),
  rows: z.int().min(0),
  end: z.looseObject({
    sequences: z.array(z.looseObject({ table: z.string(), column: z.string(), last: z.int() })),
  }),
  site: z.looseObject({
    createdAt: z.string(),
    migrations: names,
    privateKey: z.string(),
    site: z.looseObject({ id: z.uuid(), name: z.string(), vapid_public_key: z.string() }),
  }),
};

/**
 * Returns the bytes of a table as records of `data`. Divides them, because PostgreSQL writes a row of any length at
 * once.
 */
export function* writeData(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += maxRecordBytes)
    yield writeRecord({ kind: "data", bytes: bytes.subarray(from, from + maxRecordBytes) });
}

/** Returns a record as bytes: its kind, its length, and its content, which is JSON except for data. */
export function writeRecord(record: BackupRecord): Buffer {
  const content = record.kind === "data" ? record.bytes : Buffer.from(JSON.stringify(record.value));
  const head = Buffer.alloc(5);
  head[0] = codes[record.kind];
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/**
 * Returns the next record, or undefined at the end of the stream. Throws BackupError for anything that is not a
 * record.
 */
export async function readRecord(reader: ByteReader): Promise<BackupRecord | undefined> {
  const head = await reader.readUpTo(5);
  if (head.length === 0) return undefined;
  const kind = kinds.find((name) => codes[name] === head[0]);
  if (kind === undefined || head.length < 5) throw unreadable();
  const length = head.readUInt32BE(1);
  if (length > maxRecordBytes) throw unreadable();
  const content = await reader.readUpTo(length);
  if (content.length < length) throw unreadable();
  return kind === "data" ? { kind, bytes: content } : ({ kind, value: readValue(kind, content) } as BackupRecord);
}

function readValue(kind: keyof typeof shapes, content: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(content.toString());
  } catch {
    throw unreadable();
  }
  if (!shapes[kind].safeParse(value).success) throw unreadable();
  return value;
}

/** Creates the error for an authentic backup that this version cannot read. */
export function unreadable(): BackupError {
  return new BackupError("The backup holds what this version does not know: restore it with a newer version.");
}
