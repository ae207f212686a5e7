import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { type Migration, type MigrationProvider, Migrator } from "kysely/migration";
import type { Logger } from "../log.ts";
import { type Connection, openDatabase } from "./pool.ts";

const folder = new URL("./migrations/", import.meta.url);

/**
 * Each `NNNN-name.sql` is one migration, run in one transaction. There are no down migrations: a later one fixes a
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
              // Through PgBouncer, this may be a connection on which another process has set a limit.
              .raw(`set local lock_timeout = 0;\n${text}`)
              .execute(db)
              .then(() => undefined),
        },
      ];
    });
    return Object.fromEntries(await Promise.all(migrations));
  },
};

/**
 * Brings the schema up to date and returns the names of the migrations that it applied. Two starts at once are safe:
 * Kysely takes an advisory lock, and the second start finds nothing to apply. Throws on a failed migration, which is
 * rolled back. Uses a connection of its own without statement limits, because a migration may take any time.
 */
export async function migrate(connection: Connection, log: Logger): Promise<string[]> {
  const db = openDatabase({ connection, poolMax: 1, applicationName: "pressbell migrate", log, limits: "none" });
  try {
    const version = await sql<{ n: number }>`select current_setting('server_version_num')::int as n`.execute(db);
    if ((version.rows[0]?.n ?? 0) < 150_000)
      throw new Error("PostgreSQL 15 or later is needed: set DATABASE_URL to one.");
    const { error, results } = await new Migrator({ db, provider: sqlFiles }).migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).filter((result) => result.status === "Success").map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}
