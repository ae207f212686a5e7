import { rmSync } from "node:fs";
import { createConnection, createServer, type Server as SocketServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { requirePassword } from "./password.ts";
import { createSocketDirs, type Paths, pathsOf, runtimeDirExists } from "./paths.ts";
import { removeStalePidFile, runningPostgres } from "./postmaster.ts";
import { keepLogSmall } from "./rotate-log.ts";
import { chooseRunner } from "./runner.ts";
import { type Server, startServer } from "./server.ts";

// The supervisor: a process that owns PostgreSQL as long as any process holds a lease. A lease is a connection to the
// supervisor's socket. The kernel closes that connection however the holder ends, so a holder can neither leave
// PostgreSQL behind nor stop it for the others. The first process that needs PostgreSQL starts the supervisor
// (join-supervisor.ts): `node supervisor.ts DATA_DIR`.

/**
 * The messages that a supervisor sends over IPC to the process that started it. `working`: it is still starting
 * PostgreSQL.
 */
export type SupervisorMessage = { fault: string } | { working: true };

const pollMs = 20;
const reportMs = 5_000;

// The supervisor ends with its last lease. Ctrl-C, or a `kill` of the process group, must not end it before the
// service.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.chdir("/");
// Other users must not be able to connect to the socket.
process.umask(0o077);

const report = setInterval(() => sendToStarter({ working: true }), reportMs);
report.unref();
try {
  const paths = pathsOf(process.argv[2]!);
  const server = await startOwnServer(paths);
  clearInterval(report);
  if (server) {
    keepLogSmall(paths.log);
    await serveLeases(paths, server);
  }
  process.exit(0);
} catch (error) {
  const fault = error instanceof Error ? error.message : String(error);
  if (process.connected) await sendToStarter({ fault });
  else process.stderr.write(`pressbell: ${fault}\n`);
  process.exit(1);
}

/** Starts PostgreSQL. Returns undefined if another supervisor runs it. */
async function startOwnServer(paths: Paths): Promise<Server | undefined> {
  const binaries = findBinaries();
  const runner = chooseRunner(binaries, paths);
  ensureCluster(binaries, paths, runner);
  createSocketDirs(paths, runner);
  for (let attempt = 1; ; attempt++) {
    // The starter disconnects when it has found another supervisor. initdb blocks, so let that event arrive first.
    await delay(1);
    if (!process.connected) return undefined;
    // A former supervisor's PostgreSQL may still be closing, or a competing supervisor will soon answer.
    while (runningPostgres(paths) !== undefined) {
      if (!process.connected || (await anotherSupervisorAnswers(paths))) return undefined;
      await delay(pollMs);
    }
    await removeStalePidFile(paths);
    try {
      requirePassword(binaries, paths, runner);
      const server = await startServer(binaries, paths, runner);
      if (server) return server;
      throw new Error("PostgreSQL did not start.");
    } catch (error) {
      // If two supervisors start at once, PostgreSQL's own lock (postmaster.pid) lets one through. The other waits in
      // the loop.
      if (runningPostgres(paths) === undefined && attempt > 2) throw error;
      await delay(pollMs);
    }
  }
}

function anotherSupervisorAnswers(paths: Paths): Promise<boolean> {
  if (!runtimeDirExists(paths)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = createConnection(paths.supervisorSocket);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** Answers each lease with one line, and stops PostgreSQL after the last one. Resolves when PostgreSQL has ended. */
async function serveLeases(paths: Paths, server: Server): Promise<void> {
  const leases = new Set<object>();
  let listener: SocketServer | undefined;
  let ending = false;
  const endLease = (lease: object) => {
    leases.delete(lease);
    if (leases.size > 0 || ending) return;
    ending = true;
    // The listener closes before PostgreSQL stops. A process that comes now finds no socket and starts the next
    // supervisor.
    listener?.close();
    void server.stop();
  };
  listener = createServer({ allowHalfOpen: true }, (socket) => {
    if (ending) return socket.destroy();
    leases.add(socket);
    socket.on("error", () => socket.destroy());
    // A holder that releases its lease waits for an answer if others remain, or else for the end of this process.
    socket.on("end", () => {
      endLease(socket);
      if (!ending) socket.end(`${JSON.stringify({ leases: leases.size })}\n`);
    });
    socket.on("close", () => endLease(socket));
    socket.resume();
    socket.write(`${JSON.stringify({ supervisorPid: process.pid })}\n`);
  });
  // This process owns PostgreSQL, so a socket that exists belongs to a dead supervisor.
  rmSync(paths.supervisorSocket, { force: true });
  await new Promise<void>((resolve) => listener.listen(paths.supervisorSocket, resolve));
  // The starter counts as a holder until it closes the IPC channel, because it may not have connected to the socket
  // yet.
  leases.add(process);
  if (process.connected) process.once("disconnect", () => endLease(process));
  else endLease(process);
  await server.ended;
  listener.close();
}

function sendToStarter(message: SupervisorMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) return resolve();
    process.send!(message, () => resolve());
  });
}
