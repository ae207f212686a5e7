import { inject } from "vitest";
import { createTestDatabase } from "../fixtures/app.ts";
import { inDatabase, urlOf } from "../fixtures/postgres.ts";
import { type FaultFixture, type FaultFixtureOptions, openFaultFixture } from "./fixture.ts";
import type { Postgres } from "./own-postgres.ts";

/**
 * Returns the suite's PostgreSQL. It serves other files at the same time, so only tests that neither stop nor crash it
 * may use it.
 */
export function sharedPostgres(): Postgres {
  const server = inject("postgres");
  return {
    connectionTo: (database) => inDatabase(server, database),
    freshDatabase: async () => new URL(urlOf(await createTestDatabase("template"))).pathname.slice(1),
  };
}

/** Opens a fixture for `work` and closes it, even if `work` throws. */
export async function withFixture(
  options: FaultFixtureOptions,
  work: (fixture: FaultFixture) => Promise<void>,
): Promise<void> {
  const fixture = await openFaultFixture(options);
  try {
    await work(fixture);
  } finally {
    await fixture.close();
  }
}
