import { rmSync } from "node:fs";
import { createConnection, createServer, type Server as SocketServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { makeSocketDirs, meetingPlaceExists, type Places, placesOf } from "./places.ts";
import { removeStalePidFile, runningPostgres } from "./postmaster.ts";
import { chooseRunner } from "./runner.ts";
import { type Server, startServer } from "./server.ts";

// The keeper: a process of its own that owns PostgreSQL for as long as somebody holds a lease, which is a connection
// to its socket. The kernel closes that however a holder ends, so no holder can leave PostgreSQL behind, and none takes
// it away from another. Whoever needs it first starts it (join.ts): `node supervisor.ts DATA_DIR`.

/** What a keeper tells the process that started it, over IPC. */
export type SupervisorMessage = { fault: string } | { working: true };

const pollMs = 20;
const reportMs = 5_000;

// It ends with its last lease. A Ctrl-C or a `kill` meant for a whole group must not end it before the service has.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.chdir("/");
// Nobody else may knock at the socket.
process.umask(0o077);

const report = setInterval(() => tellStarter({ working: true }), reportMs);
report.unref();
try {
  const places = placesOf(process.argv[2]!);
  const server = await ownServer(places);
  clearInterval(report);
  if (server) await serveLeases(places, server);
  process.exit(0);
} catch (error) {
  const fault = error instanceof Error ? error.message : String(error);
  if (process.connected) await tellStarter({ fault });
  else process.stderr.write(`pressbell: ${fault}\n`);
  process.exit(1);
}

/** Starts PostgreSQL; undefined when another keeper has one up. */
async function ownServer(places: Places): Promise<Server | undefined> {
  const binaries = findBinaries();
  const runner = chooseRunner(binaries, places);
  ensureCluster(binaries, places, runner);
  makeSocketDirs(places, runner);
  for (let attempt = 1; ; attempt++) {
    // The starter lets go when it has found another keeper; initdb left no time to hear of it.
    await delay(1);
    if (!process.connected) return undefined;
    // A former keeper's may still be closing; a racing keeper's will soon answer.
    while (runningPostgres(places) !== undefined) {
      if (!process.connected || (await anotherKeeperAnswers(places))) return undefined;
      await delay(pollMs);
    }
    removeStalePidFile(places);
    const server = await startServer(binaries, places, runner);
    if (server) return server;
    // Of two that start at once PostgreSQL itself (postmaster.pid) lets one through: the loser waits for it above.
    if (runningPostgres(places) === undefined && attempt > 2) throw new Error("PostgreSQL did not start.");
  }
}

function anotherKeeperAnswers(places: Places): Promise<boolean> {
  if (!meetingPlaceExists(places)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = createConnection(places.keeperSocket);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** Answers each lease with one line, and stops PostgreSQL after the last. Resolves when PostgreSQL has ended. */
async function serveLeases(places: Places, server: Server): Promise<void> {
  const leases = new Set<object>();
  let door: SocketServer | undefined;
  let ending = false;
  const end = (lease: object) => {
    leases.delete(lease);
    if (leases.size > 0 || ending) return;
    ending = true;
    // Closed first: who comes now finds no socket and starts the next keeper.
    door?.close();
    void server.stop();
  };
  door = createServer({ allowHalfOpen: true }, (socket) => {
    if (ending) return socket.destroy();
    leases.add(socket);
    socket.on("error", () => socket.destroy());
    // A holder that gives its lease back waits for an answer when others remain, else for our own end.
    socket.on("end", () => {
      end(socket);
      if (!ending) socket.end(`${JSON.stringify({ leases: leases.size })}\n`);
    });
    socket.on("close", () => end(socket));
    socket.resume();
    socket.write(`${JSON.stringify({ keeper: process.pid })}\n`);
  });
  // PostgreSQL is ours, so a socket that is there is a dead keeper's.
  rmSync(places.keeperSocket, { force: true });
  await new Promise<void>((resolve) => door.listen(places.keeperSocket, resolve));
  // The starter counts as a holder until it lets go of IPC: it may not have reached the socket yet.
  leases.add(process);
  if (process.connected) process.once("disconnect", () => end(process));
  else end(process);
  await server.ended;
  door.close();
}

function tellStarter(message: SupervisorMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) return resolve();
    process.send!(message, () => resolve());
  });
}
