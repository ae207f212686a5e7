import { PostgresAdapter, PostgresDialect } from "kysely";

/** Kysely's lock for migrations belongs to a session, which a pooler may give to others. `migrate` takes its own. */
class AdapterWithoutLock extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Kysely's dialect for PostgreSQL, whose migrator locks nothing. */
export class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new AdapterWithoutLock();
  }
}
