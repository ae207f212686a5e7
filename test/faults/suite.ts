import { inject } from "vitest";
import { createTestDatabase } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { inDatabase, urlOf } from "../fixtures/postgres.ts";
import { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts";
import { type FaultFixture, type FaultFixtureOptions, openFaultFixture } from "./fixture.ts";
import { type OwnPostgres, type Postgres, startOwnPostgres } from "./own-postgres.ts";

// What test files open. All of it is closed after the file's last test, also when a test has timed out.

/** Returns the suite's PostgreSQL, for tests that neither stop nor crash it: it serves other files at the same time. */
export function sharedPostgres(): Postgres {
  const server = inject("postgres");
  return {
    connectionTo: (database) => inDatabase(server, database),
    freshDatabase: async () => new URL(urlOf(await createTestDatabase("template"))).pathname.slice(1),
  };
}

/** Starts a PostgreSQL for tests that stop or crash it. */
export async function ownPostgres(): Promise<OwnPostgres> {
  const postgres = await startOwnPostgres();
  afterFile(postgres.close);
  return postgres;
}

/** Starts a proxy before a PostgreSQL. */
export async function proxyBefore(postgres: Postgres): Promise<DatabaseProxy> {
  const proxy = await startDatabaseProxy(postgres);
  afterFile(proxy.close);
  return proxy;
}

/** Opens a fixture for `work` and closes it, even if `work` throws. */
export async function withFixture(
  options: FaultFixtureOptions,
  work: (fixture: FaultFixture) => Promise<void>,
): Promise<void> {
  const fixture = await openFaultFixture(options);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= fixture.close());
  afterFile(close);
  try {
    await work(fixture);
  } finally {
    await close();
  }
}
