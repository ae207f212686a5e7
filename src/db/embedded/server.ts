import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import { type Paths, port } from "./paths.ts";
import { readPostmaster } from "./postmaster.ts";
import { type Runner, spawnOptions } from "./runner.ts";

/** A running PostgreSQL that accepts connections. */
export type Server = {
  /** Resolves when PostgreSQL has ended, for any reason. */
  ended: Promise<void>;
  /** Stops PostgreSQL. Cuts connections and keeps everything that is committed. Resolves when PostgreSQL has ended. */
  stop(): Promise<void>;
};

// The wrapper reads from a pipe whose other end only the supervisor holds. When the supervisor ends, for any reason,
// the read ends, and the wrapper stops PostgreSQL. The wrapper ignores signals to its process group, so it lives until
// then.
const wrapper = `
trap '' HUP INT TERM
exec 3<&0
"$@" </dev/null >&2 3<&- &
postgres=$!
echo $postgres
(read -r line <&3; kill -INT $postgres) >&2 &
watch=$!
exec 3<&- >&2
wait $postgres
code=$?
kill -KILL $watch 2>/dev/null
exit $code`;

const settings = {
  port: String(port),
  listen_addresses: "",
  unix_socket_permissions: "0700",
  // A worker uses 6 connections per thread, and every process 10. This is enough for 32 cores and some commands at
  // once.
  max_connections: "300",
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  // No erasure reaches the log file, so it must show no data: no DETAIL (rows), no CONTEXT (lines of a COPY) and no
  // statements (values).
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

// Both limits together stay below the 10 s that Docker and others give a service to stop. An immediate shutdown or
// SIGKILL loses no commit.
const fastShutdownMs = 6_000;
const immediateShutdownMs = 2_000;
const pollMs = 10;

/**
 * Starts PostgreSQL on the data folder. Its output goes to this process's stderr. Resolves when PostgreSQL accepts
 * connections. After a crash it recovers first, for as long as that takes. Resolves to undefined if PostgreSQL has
 * ended instead.
 */
export async function startServer(binaries: Binaries, paths: Paths, runner: Runner): Promise<Server | undefined> {
  const options = Object.entries({ ...settings, unix_socket_directories: paths.socketDir }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const [command, ...args] = [...runner.prefix, "sh", "-c", wrapper, "sh", binaries.postgres, "-D", paths.cluster];
  const child = spawn(command!, [...args, ...options], {
    ...spawnOptions(runner),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const state = { hasEnded: false };
  const ended = new Promise<void>((resolve) => {
    child.once("exit", resolve).once("error", resolve);
  }).then(() => {
    state.hasEnded = true;
  });
  const pid = await readPostgresPid(child, ended);
  while (!state.hasEnded) {
    const postmaster = readPostmaster(paths);
    if (postmaster?.ready && postmaster.pid === pid) return { ended, stop: () => stopServer(child, pid, ended) };
    await delay(pollMs);
  }
  return undefined;
}

/** Reads the process id of PostgreSQL, which the wrapper prints. */
async function readPostgresPid(child: ChildProcess, ended: Promise<void>): Promise<number> {
  const line = once(createInterface({ input: child.stdout! }), "line");
  const result = await Promise.race([line, ended]);
  return Number(result?.[0]);
}

async function stopServer(child: ChildProcess, pid: number, ended: Promise<void>): Promise<void> {
  // This ends the wrapper's read, which starts a fast shutdown.
  child.stdin!.destroy();
  if (await endsWithin(ended, fastShutdownMs)) return;
  process.kill(pid, "SIGQUIT");
  if (await endsWithin(ended, immediateShutdownMs)) return;
  process.kill(pid, "SIGKILL");
  await ended;
}

async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  const cancelTimeout = new AbortController();
  const timeout = delay(ms, false, { signal: cancelTimeout.signal }).catch(() => false);
  const hasEnded = await Promise.race([ended.then(() => true), timeout]);
  cancelTimeout.abort();
  return hasEnded;
}
