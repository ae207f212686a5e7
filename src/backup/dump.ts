import { sql } from "kysely";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { row, rows } from "../db/pool.ts";
import type { CopyTx } from "./copy-session.ts";
import { type BackupRecord, type TableHead, writeData, writeRecord } from "./records.ts";
import { readSequences, readTables } from "./tables.ts";

/** Returns the name and columns of a table as COPY expects them. */
export function copyTarget({ name, columns }: TableHead): string {
  return `${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(", ")})`;
}

/**
 * Reads the database of a transaction as the bytes of records, from one snapshot, while other processes write. Holds
 * one buffer of COPY at a time.
 */
export async function* dump({ tx, client }: CopyTx, secretKey: string): AsyncGenerator<Buffer> {
  const now = await row(sql<{ createdAt: Date }>`select now() as "createdAt"`, tx);
  const applied = await rows(sql<{ name: string }>`select name from kysely_migration order by name`, tx);
  const migrations = applied.map(({ name }) => name);
  const createdAt = now!.createdAt.toISOString();
  yield writeRecord({ kind: "manifest", value: { createdAt, migrations, secretKey } });
  for (const table of await readTables(tx)) {
    yield writeRecord({ kind: "table", value: table });
    const copied = client.query(copyTo(`copy ${copyTarget(table)} to stdout`));
    for await (const bytes of copied) yield* writeData(bytes as Buffer);
    yield writeRecord({ kind: "rows", value: copied.rowCount });
  }
  // Sequences do not belong to a snapshot. They are read last, so that they are above all ids that were read.
  const end: BackupRecord = { kind: "end", value: { sequences: await readSequences(tx) } };
  yield writeRecord(end);
}
