import { appendFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries } from "../../src/db/embedded/binaries.ts";
import { ensureCluster, role } from "../../src/db/embedded/cluster.ts";
import { createSocketDirs, type Paths, pathsOf, port } from "../../src/db/embedded/paths.ts";
import { readPostmaster } from "../../src/db/embedded/postmaster.ts";
import { chooseRunner } from "../../src/db/embedded/runner.ts";
import { startServer } from "../../src/db/embedded/server.ts";
import { migrate } from "../../src/db/migrate.ts";
import type { Connection } from "../../src/db/pool.ts";
import { createLogger } from "../../src/log.ts";
import { recreateDatabase } from "../fixtures/postgres.ts";

/** A real PostgreSQL that a test may stop and crash: no supervisor restarts it. */
export type OwnPostgres = {
  /** The path of its Unix socket. */
  socket: string;
  connectionTo(database: string): Connection;
  /** Creates a database as a clone of a migrated template, and returns its name. */
  freshDatabase(): Promise<string>;
  /** As `pg_ctl -m immediate restart`: it crashes, starts again and recovers from its log. */
  crashAndRestart(): Promise<void>;
  /** Shuts it down in order. Connections are closed, and new ones refused until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Shuts it down and deletes its data. */
  close(): Promise<void>;
};

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "pressbell-faults-"));
  const paths = pathsOf(dataDir);
  const binaries = findBinaries();
  const runner = chooseRunner(binaries, paths);
  ensureCluster(binaries, paths, runner);
  createSocketDirs(paths, runner);
  // The tests' proxies connect without a password. Only this process's user can enter the folder of the socket.
  writeFileSync(join(paths.cluster, "pg_hba.conf"), "local all all trust\n");
  // Tests kill it many times: its log would hide the output of the tests.
  appendFileSync(join(paths.cluster, "postgresql.conf"), "\nlog_min_messages = panic\nmax_connections = 200\n");
  const launch = async () => {
    const started = await startServer(binaries, paths, runner);
    if (started === undefined) throw new Error("PostgreSQL did not start");
    return started;
  };
  let server = await launch();
  const connectionTo = (database: string) => ({ host: paths.socketDir, port, user: role, database });
  await createTemplate(connectionTo(role), connectionTo("template"));
  let created = 0;
  return {
    socket: join(paths.socketDir, `.s.PGSQL.${port}`),
    connectionTo,
    async freshDatabase() {
      const name = `test_${++created}`;
      await recreateDatabase(connectionTo(role), name, "template");
      return name;
    },
    async crashAndRestart() {
      process.kill(postmasterOf(paths), "SIGQUIT");
      await server.ended;
      server = await launch();
    },
    stop: () => server.stop(),
    async start() {
      server = await launch();
    },
    async close() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
      await rm(paths.runtimeDir, { recursive: true, force: true });
    },
  };
}

function postmasterOf(paths: Paths): number {
  const postmaster = readPostmaster(paths);
  if (postmaster === undefined) throw new Error("PostgreSQL does not run");
  return postmaster.pid;
}

async function createTemplate(administrator: Connection, connection: Connection): Promise<void> {
  await recreateDatabase(administrator, "template", undefined);
  await migrate(connection, createLogger("silent"));
}
