import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries } from "../../src/db/embedded/binaries.ts";
import { ensureCluster, role } from "../../src/db/embedded/cluster.ts";
import { createSocketDirs, type Paths, pathsOf, port } from "../../src/db/embedded/paths.ts";
import { readPostmaster } from "../../src/db/embedded/postmaster.ts";
import { chooseRunner, type Runner } from "../../src/db/embedded/runner.ts";
import { startServer } from "../../src/db/embedded/server.ts";
import { migrate } from "../../src/db/migrate.ts";
import type { Connection } from "../../src/db/pool.ts";
import { createLogger } from "../../src/log.ts";
import { closeAfterFile } from "../fixtures/cleanup.ts";
import { recreateDatabase } from "../fixtures/postgres.ts";

/** A real PostgreSQL for the databases of tests. */
export type Postgres = {
  connectionTo(database: string): Connection;
  /** Creates a database as a clone of a migrated template, and returns its name. */
  freshDatabase(): Promise<string>;
};

/** A PostgreSQL that a test may stop and crash. No supervisor restarts it. */
export type OwnPostgres = Postgres & {
  /** Crashes and recovers from its log, like `pg_ctl -m immediate restart`. */
  crashAndRestart(): Promise<void>;
  /** Kills its first process, like `kill -9`. The other processes end by themselves. */
  kill(): Promise<void>;
  /** Starts a streaming standby on a copy of the data folder. Restarts this server to make the copy. */
  addStandby(): Promise<OwnPostgres>;
  /** Shuts it down in order. Its connections are closed, and new ones are refused until `start`. */
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
  writeFileSync(join(paths.cluster, "pg_hba.conf"), "local all all trust\nlocal replication all trust\n");
  // Tests kill it many times, so its log would hide the output of the tests.
  appendFileSync(join(paths.cluster, "postgresql.conf"), "\nlog_min_messages = panic\nmax_connections = 200\n");
  const postgres = await serve(paths);
  await createTemplate(postgres.connectionTo(role), postgres.connectionTo("template"));
  return postgres;
}

/** Starts PostgreSQL on a data folder that is ready for it. */
async function serve(paths: Paths): Promise<OwnPostgres> {
  const binaries = findBinaries();
  const runner = chooseRunner(binaries, paths);
  const launch = async () => {
    const started = await startServer(binaries, paths, runner);
    if (started === undefined) throw new Error("PostgreSQL did not start");
    return started;
  };
  let server = await launch();
  const connectionTo = (database: string) => ({ host: paths.socketDir, port, user: role, database });
  const end = async (signal: NodeJS.Signals) => {
    process.kill(postmasterOf(paths), signal);
    await server.ended;
  };
  return {
    connectionTo,
    async freshDatabase() {
      const name = `test_${randomUUID().replaceAll("-", "")}`;
      await recreateDatabase(connectionTo(role), name, "template");
      return name;
    },
    async crashAndRestart() {
      await end("SIGQUIT");
      server = await launch();
    },
    kill: () => end("SIGKILL"),
    async addStandby() {
      const copy = pathsOf(await mkdtemp(join(tmpdir(), "pressbell-faults-")));
      await server.stop();
      copyCluster(paths, copy, runner);
      server = await launch();
      return serve(copy);
    },
    stop: () => server.stop(),
    async start() {
      server = await launch();
    },
    close: closeAfterFile(async () => {
      await server.stop();
      await rm(paths.dataDir, { recursive: true, force: true });
      await rm(paths.runtimeDir, { recursive: true, force: true });
    }),
  };
}

/** Copies the data folder of a server that is shut down. The copy will follow that server. */
function copyCluster(from: Paths, to: Paths, runner: Runner): void {
  const { status, stderr } = spawnSync("cp", ["-a", from.cluster, to.cluster], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the data folder could not be copied: ${stderr}`);
  createSocketDirs(to, runner);
  // PostgreSQL uses the last line of the file, also in the copy of a former standby.
  const source = `primary_conninfo = 'host=${from.socketDir} port=${port} user=${role}'`;
  appendFileSync(join(to.cluster, "postgresql.conf"), `\n${source}\n`);
  writeFileSync(join(to.cluster, "standby.signal"), "");
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
