import { join } from "node:path";
import { leaseEmbeddedPostgres } from "../src/db/embedded/lease.ts";
import { pathsOf } from "../src/db/embedded/paths.ts";
import { runningPostgres } from "../src/db/embedded/postmaster.ts";
import { createClient } from "../src/db/pool.ts";

/**
 * Starts an embedded PostgreSQL with an empty database in `folder`, and with the settings of the service.
 * `statements`: loads the extension pg_stat_statements.
 */
export async function startDatabase(folder: string, options: { statements: boolean }) {
  const dataDir = join(folder, "data");
  if (options.statements) await preloadPgStatStatements(dataDir);
  const lease = await leaseEmbeddedPostgres(dataDir);
  return { dataDir, connection: lease.connection, pid: runningPostgres(pathsOf(dataDir))!, stop: lease.release };
}

/** Makes PostgreSQL load pg_stat_statements at its next start. */
async function preloadPgStatStatements(dataDir: string): Promise<void> {
  const lease = await leaseEmbeddedPostgres(dataDir);
  const client = createClient(lease.connection, "bench");
  await client.connect();
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await client.query("alter system set pg_stat_statements.track_planning = on");
  await client.end();
  await lease.release();
}
