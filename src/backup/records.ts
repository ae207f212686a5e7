import { BackupError } from "./backup-error.ts";
import type { ByteReader } from "./byte-reader.ts";

/** What a backup is of, its first record. Times: ISO 8601, of the database's clock. */
export type Manifest = {
  createdAt: string;
  /** The names of the migrations that its schema has. */
  migrations: string[];
  /** The setting SECRET_KEY, without which sealed values could not be opened. */
  secretKey: string;
};

/** What a file with one site is of. `site`: its row, without the private key. `privateKey`: base64url. */
export type SiteManifest = {
  createdAt: string;
  migrations: string[];
  site: { id: string; name: string; vapid_public_key: string } & Record<string, unknown>;
  privateKey: string;
};

/** A table: its columns in the order of the data. */
export type TableHead = { name: string; columns: string[] };

/** The next value of an identity column is above `last`. */
export type SequenceState = { table: string; column: string; last: number };

/**
 * One record. `data`: a part of what COPY … TO STDOUT has written for the table before it. `rows`: the table's end. `end`:
 * that of the backup. `site`: the first record of a file with one site, in place of the manifest.
 */
export type BackupRecord =
  | { kind: "manifest"; value: Manifest }
  | { kind: "table"; value: TableHead }
  | { kind: "data"; bytes: Buffer }
  | { kind: "rows"; value: number }
  | { kind: "end"; value: { sequences: SequenceState[] } }
  | { kind: "site"; value: SiteManifest };

/** The first byte of a record. Stored: never changes. */
const codes = { manifest: 1, table: 2, data: 3, rows: 4, end: 5, site: 6 } as const;
const kinds = Object.keys(codes) as BackupRecord["kind"][];
/** PostgreSQL's longest value is 1 GB, and written at once. */
const maxBytes = 2 ** 31;

/** Returns a record as bytes: its kind, its length and its content, JSON except for data. */
export function writeRecord(record: BackupRecord): Buffer {
  const content = record.kind === "data" ? record.bytes : Buffer.from(JSON.stringify(record.value));
  const head = Buffer.alloc(5);
  head[0] = codes[record.kind];
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** Returns the next record; undefined at the end of the stream. Throws BackupError for anything else than records. */
export async function readRecord(reader: ByteReader): Promise<BackupRecord | undefined> {
  const head = await reader.readUpTo(5);
  if (head.length === 0) return undefined;
  const kind = kinds.find((name) => codes[name] === head[0]);
  const length = head.length === 5 ? head.readUInt32BE(1) : maxBytes;
  if (kind === undefined || length >= maxBytes) throw unreadable();
  const content = await reader.readUpTo(length);
  if (content.length < length) throw unreadable();
  return kind === "data" ? { kind, bytes: content } : ({ kind, value: JSON.parse(content.toString()) } as BackupRecord);
}

/** The error for an authentic backup that this version cannot read. */
export function unreadable(): BackupError {
  return new BackupError("The backup holds what this version does not know: restore it with a newer version.");
}
