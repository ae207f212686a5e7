import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { applyMigrations, lockSchema } from "../db/migrate.ts";
import { row, type Tx } from "../db/pool.ts";
import { isUnreleased, ownNames } from "../db/schema.ts";
import { BackupError } from "./backup-error.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { CopyTx } from "./copy-session.ts";
import { copyTarget } from "./dump.ts";
import { type Manifest, readRecord, type TableHead, unreadable } from "./records.ts";
import { writeSequences } from "./tables.ts";

/** Reads the first record. Throws BackupError if the backup's schema is newer than this program, or unreleased. */
export async function readManifest(reader: ByteReader): Promise<Manifest> {
  const record = await readRecord(reader);
  if (record?.kind === "site")
    throw new BackupError("The file holds one site and no installation: take it in with `pressbell site import`.");
  if (record?.kind !== "manifest") throw unreadable();
  const own = await ownNames();
  const unknown = record.value.migrations.find((name) => !own.includes(name));
  if (unknown === undefined) return record.value;
  if (isUnreleased(unknown))
    throw new BackupError("The backup is from before the first release of Pressbell, and this program cannot read it.");
  throw new BackupError(
    `The backup is of a newer version of Pressbell (its schema has ${unknown}; this program knows migrations up to ` +
      `${own.at(-1)}): restore it with that version.`,
  );
}

/**
 * Loads the rest of a backup into an empty database, in the caller's transaction: creates the schema of the backup,
 * copies its tables, and migrates them to the schema of this program. Throws BackupError if the database is not empty,
 * or cannot be used.
 */
export async function load(session: CopyTx, reader: ByteReader, manifest: Manifest): Promise<void> {
  const { tx, client } = session;
  await expectEmpty(tx);
  await applyMigrations(tx, manifest.migrations);
  const loaded: TableHead[] = [];
  for (;;) {
    const record = await readRecord(reader);
    if (record?.kind === "table") {
      loaded.push(record.value);
      await loadTable(session, reader, record.value);
    } else if (record?.kind === "end") {
      await writeSequences(tx, record.value.sequences);
      break;
    } else throw unreadable();
  }
  for (const { name } of loaded) await client.query(`alter table ${pg.escapeIdentifier(name)} enable trigger user`);
  // Only the end of the stream shows that nothing was cut off.
  if ((await reader.readUpTo(1)).length > 0) throw unreadable();
  await applyMigrations(tx);
  for (const { name } of loaded) await client.query(`analyze ${pg.escapeIdentifier(name)}`);
}

async function expectEmpty(tx: Tx): Promise<void> {
  const found = await row(
    sql<{ version: number; table: string | null }>`select current_setting('server_version_num')::int as version,
      (select min(relname) from pg_class where relnamespace = current_schema()::regnamespace
        and relkind in ('r', 'p', 'v', 'm', 'f')) as "table"`,
    tx,
  );
  const { version, table } = found!;
  if (version < 150_000) throw new BackupError("PostgreSQL 15 or later is needed.");
  if (table !== null) {
    throw new BackupError(
      `The database is not empty (it has ${table}), and nothing was changed. Take an empty one: a new DATA_DIR, or createdb.`,
    );
  }
  if (!(await lockSchema(tx))) throw new BackupError("Another process creates the schema there: stop it first.");
}

/**
 * Copies one table without its triggers. They fired when the rows were first written, and the backup has the tables
 * that they wrote.
 */
async function loadTable({ client }: CopyTx, reader: ByteReader, table: TableHead): Promise<void> {
  await client.query(`alter table ${pg.escapeIdentifier(table.name)} disable trigger user`);
  await copyInto(client, reader, table, copyTarget(table));
}

/**
 * Copies the next rows of `reader`, which belong to `table`, into `target`: a table name and columns for COPY. Returns
 * the number of rows. `watch` gets all bytes before PostgreSQL does, and may throw.
 */
export async function copyInto(
  client: pg.Client,
  reader: ByteReader,
  table: TableHead,
  target: string,
  watch: (bytes: Buffer) => void = () => {},
): Promise<number> {
  const copying = client.query(copyFrom(`copy ${target} from stdin`));
  let rows: number | undefined;
  async function* data() {
    for (;;) {
      const record = await readRecord(reader);
      if (record?.kind === "data") {
        watch(record.bytes);
        yield record.bytes;
      } else if (record?.kind === "rows") {
        rows = record.value;
        return;
      } else throw unreadable();
    }
  }
  await pipeline(Readable.from(data()), copying);
  if (copying.rowCount !== rows) throw new BackupError(`${rows} rows of ${table.name} were expected.`);
  return rows!;
}
