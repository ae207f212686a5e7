import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { type Migration, type MigrationProvider, Migrator } from "kysely/migration";
import type { Logger } from "../log.ts";
import { type Connection, openDatabase } from "./pool.ts";

const folder = new URL("./migrations/", import.meta.url);

/** Any number that no other advisory lock of the database has. */
const lockId = 3_853_314;

/**
 * Each `NNNN-name.sql` is one migration; those of one start are one transaction. There are no down migrations: a later one fixes a
 * fault.
 */
const sqlFiles: MigrationProvider = {
  async getMigrations() {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".sql"));
    const migrations = names.map(async (name): Promise<[string, Migration]> => {
      const text = await readFile(new URL(name, folder), "utf8");
      return [
        name.replace(/\.sql$/, ""),
        {
          up: (db) =>
            sql
              .raw(text)
              .execute(db)
              .then(() => undefined),
        },
      ];
    });
    return Object.fromEntries(await Promise.all(migrations));
  },
};

/**
 * Brings the schema up to date and returns the names of the migrations that it applied. Throws on a failed migration; all
 * of them are then rolled back. Two starts at once are safe, also through a pooler: the transaction holds a lock until it
 * ends, and the second start finds nothing to apply. Uses a connection of its own without statement limits, because a
 * migration may take any time.
 */
export async function migrate(connection: Connection, log: Logger): Promise<string[]> {
  const db = openDatabase({
    connection,
    poolMax: 1,
    applicationName: "pressbell migrate",
    log,
    limits: "none",
  });
  try {
    const version = await sql<{ n: number }>`select current_setting('server_version_num')::int as n`.execute(db);
    if ((version.rows[0]?.n ?? 0) < 150_000)
      throw new Error("PostgreSQL 15 or later is needed: set DATABASE_URL to one.");
    return await db.transaction().execute(async (tx) => {
      // The role or the database may have a limit.
      await sql`set local lock_timeout = 0`.execute(tx);
      await sql`select pg_advisory_xact_lock(${sql.lit(lockId)})`.execute(tx);
      const { error, results } = await new Migrator({ db: tx, provider: sqlFiles }).migrateToLatest();
      if (error !== undefined) throw error;
      return (results ?? []).filter((result) => result.status === "Success").map((result) => result.migrationName);
    });
  } finally {
    await db.destroy();
  }
}

/**
 * Compares the schema with the migrations of this program, and changes neither. `pending`: not applied yet. `unknown`:
 * applied by another version of Pressbell.
 */
export async function readMigrationState(
  connection: Connection,
  log: Logger,
): Promise<{ pending: string[]; unknown: string[] }> {
  const db = openDatabase({ connection, poolMax: 1, applicationName: "pressbell doctor", log });
  try {
    const known = Object.keys(await sqlFiles.getMigrations());
    const table = await sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`.execute(db);
    const applied =
      table.rows[0]?.name == null
        ? []
        : (await sql<{ name: string }>`select name from kysely_migration`.execute(db)).rows;
    const names = new Set(applied.map(({ name }) => name));
    return { pending: known.filter((name) => !names.has(name)), unknown: [...names].filter((n) => !known.includes(n)) };
  } finally {
    await db.destroy();
  }
}
