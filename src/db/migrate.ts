import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Logger } from "../log.ts";
import { type Connection, type Database, openDatabase, row, type Tx } from "./pool.ts";
import { checkSchema, readMigrationState, SchemaError, sqlFiles, sqlFilesNamed } from "./schema.ts";

/** The id of the advisory lock of the transaction that changes the schema. No other advisory lock has this id. */
const lockId = 3_853_314;

/**
 * The time after which a wait for another process that migrates is logged for the first time. Later it is logged
 * again.
 */
const sayAfterMs = 1_000;
const retryMs = 200;

/**
 * Brings the schema up to date and returns the names of the migrations that it applied. Returns none if the schema is
 * up to date, or if a newer program has only added to it. Throws SchemaError if a newer program has removed something
 * (checkSchema). Throws the error of a failed migration after all migrations are rolled back.
 *
 * Two starts at once are safe, even through a pooler. The transaction holds a lock until it ends, and the second
 * start logs who holds it, waits, and finds nothing to apply. `signal` ends that wait. Uses a connection of its own
 * without statement limits, because a migration may take any time.
 */
export async function migrate(connection: Connection, log: Logger, signal?: AbortSignal): Promise<string[]> {
  const db = openDatabase({ connection, poolMax: 1, applicationName: "pressbell migrate", log, limits: "none" });
  try {
    const version = await row(sql<{ n: number }>`select current_setting('server_version_num')::int as n`, db);
    if (version!.n < 150_000) throw new SchemaError("PostgreSQL 15 or later is needed: set DATABASE_URL to one.");
    let sayAt = performance.now() + sayAfterMs;
    for (;;) {
      if (checkSchema(await readMigrationState(db)) === "up to date") return [];
      const applied = await db.transaction().execute(migrateIfFree);
      if (applied !== undefined) return applied;
      if (performance.now() >= sayAt) {
        log.warn(`waiting to migrate the schema: ${await holderOfLock(db)}`);
        sayAt = performance.now() + 30 * sayAfterMs;
      }
      await delay(retryMs, undefined, { signal });
    }
  } finally {
    await db.destroy();
  }
}

/** Applies the pending migrations. Returns undefined if another process holds the lock. */
async function migrateIfFree(tx: Tx): Promise<string[] | undefined> {
  // The role or the database may have set a limit.
  await sql`set local lock_timeout = 0`.execute(tx);
  if (!(await lockSchema(tx))) return undefined;
  // Another process may have migrated meanwhile.
  if (checkSchema(await readMigrationState(tx)) === "up to date") return [];
  return applyMigrations(tx);
}

/**
 * Keeps others from changing the schema until the transaction ends. Returns false if another process holds the lock.
 */
export async function lockSchema(tx: Tx): Promise<boolean> {
  const lock = await row(
    sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(lockId)}) as "isOurs"`,
    tx,
  );
  return lock!.isOurs;
}

/**
 * Applies the pending migrations, or only those of them that are named in `only`, in the caller's transaction. The
 * caller has locked the schema. Returns the names of the applied migrations.
 */
export async function applyMigrations(tx: Tx, only?: string[]): Promise<string[]> {
  const provider = only === undefined ? sqlFiles : sqlFilesNamed(only);
  const { error, results } = await new Migrator({ db: tx, provider }).migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).filter((result) => result.status === "Success").map((result) => result.migrationName);
}

async function holderOfLock(db: Database): Promise<string> {
  const holder = await row(
    sql<{ pid: number; name: string; address: string }>`select l.pid, a.application_name as name,
        coalesce(host(a.client_addr), 'this machine') as address
      from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = ${sql.lit(lockId)}
        and l.database = (select oid from pg_database where datname = current_database())`,
    db,
  );
  if (holder === undefined) return "the lock was free just now";
  const { pid, name, address } = holder;
  return `PostgreSQL's process ${pid} ("${name}", from ${address}) holds the lock; select pg_terminate_backend(${pid}) ends it`;
}
