import { join } from "node:path";
import { leaseEmbeddedPostgres } from "../src/db/embedded/lease.ts";
import { placesOf } from "../src/db/embedded/places.ts";
import { runningPostgres } from "../src/db/embedded/postmaster.ts";

/** The embedded PostgreSQL on a fresh folder below `folder`, with the settings that the service gives it. */
export async function startDatabase(folder: string) {
  const dataDir = join(folder, "data");
  const lease = await leaseEmbeddedPostgres(dataDir);
  return { dataDir, connection: lease.connection, pid: runningPostgres(placesOf(dataDir))!, stop: lease.release };
}
