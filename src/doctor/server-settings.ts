import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** Settings of the server that a session cannot change for itself. Sizes in MB. */
export type ServerSettings = {
  autovacuum: boolean;
  trackCounts: boolean;
  fullPageWrites: boolean;
  sharedBuffersMb: number;
  maxWalSizeMb: number;
  logStatement: string;
};

/** PostgreSQL's defaults, with which the planner was measured. */
const leastSharedBuffersMb = 128;
const leastWalSizeMb = 1_024;

export async function readServerSettings(db: Executor): Promise<ServerSettings> {
  const settings = await row(
    sql<ServerSettings>`select current_setting('autovacuum')::boolean as autovacuum,
      current_setting('track_counts')::boolean as "trackCounts",
      current_setting('full_page_writes')::boolean as "fullPageWrites",
      (pg_size_bytes(current_setting('shared_buffers')) / 1048576)::int as "sharedBuffersMb",
      (pg_size_bytes(current_setting('max_wal_size')) / 1048576)::int as "maxWalSizeMb",
      current_setting('log_statement') as "logStatement"`,
    db,
  );
  return settings!;
}

/**
 * Returns one finding. A warning names each harmful setting and its fix. Settings that our sessions set for themselves
 * (db/session-settings.ts), such as jit, are not checked.
 */
export function assessServerSettings(settings: ServerSettings): Finding {
  const check = "database settings";
  const { autovacuum, trackCounts, fullPageWrites, sharedBuffersMb, maxWalSizeMb, logStatement } = settings;
  const faults: [boolean, string][] = [
    [!autovacuum, "autovacuum is off: tables grow with each send, and statements slow down; set autovacuum = on"],
    [!trackCounts, "track_counts is off, and without it autovacuum does nothing; set track_counts = on"],
    [
      !fullPageWrites,
      "full_page_writes is off: a power loss tears pages, unless the file system never does; set full_page_writes = on",
    ],
    [
      sharedBuffersMb < leastSharedBuffersMb,
      `shared_buffers is ${sharedBuffersMb} MB: set it to 256 MB, or to a quarter of the memory, and restart PostgreSQL`,
    ],
    [
      maxWalSizeMb < leastWalSizeMb,
      `max_wal_size is ${maxWalSizeMb} MB: each send causes checkpoints, which write every page twice; set it to 2GB`,
    ],
    [
      logStatement === "all" || logStatement === "mod",
      `log_statement is ${logStatement}: the log gets readers' addresses, which no erasure reaches; set log_statement = none`,
    ],
  ];
  const found = faults.filter(([isFault]) => isFault).map(([, message]) => message);
  if (found.length > 0) return warning(check, found.join(". "));
  return ok(check, `autovacuum on, shared_buffers ${sharedBuffersMb} MB, max_wal_size ${maxWalSizeMb} MB`);
}
