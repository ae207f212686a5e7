import { PostgresAdapter, PostgresDialect } from "kysely";

/**
 * An adapter without Kysely's lock for migrations, which belongs to a session: a pooler may give the session to other
 * clients. `migrate` takes a lock of its own.
 */
class AdapterWithoutLock extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Kysely's dialect for PostgreSQL, with a migrator that takes no lock. */
export class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new AdapterWithoutLock();
  }
}
