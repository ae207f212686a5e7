import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import { type Places, port } from "./places.ts";
import { readPostmaster } from "./postmaster.ts";
import { type Runner, spawnOptions } from "./runner.ts";

/** A PostgreSQL that accepts connections. */
export type Server = {
  /** Resolves when PostgreSQL has ended, for whatever reason. */
  ended: Promise<void>;
  /** Ends PostgreSQL: connections are cut, what is committed stays. Resolves when it has ended. */
  stop(): Promise<void>;
};

// The wrapper holds the reading end of a pipe whose other end only the keeper has: when the keeper is gone, however
// it went, the read ends and so does PostgreSQL. A signal to a whole group must not take the wrapper away before.
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
  // A worker takes 6 for each thread, and every process 10: a machine of 32 cores, and commands beside it.
  max_connections: "300",
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
};

// Together below the 10 s that Docker and others give a service to end. Both harsher ways lose nothing committed.
const fastShutdownMs = 6_000;
const immediateShutdownMs = 2_000;
const pollMs = 10;

/**
 * Starts PostgreSQL on the data folder; its output goes to this process's stderr. Resolves when it accepts
 * connections (after a crash it first recovers, however long), or to undefined when it has ended instead.
 */
export async function startServer(binaries: Binaries, places: Places, runner: Runner): Promise<Server | undefined> {
  const options = Object.entries({ ...settings, unix_socket_directories: places.socketDir }).flatMap(
    ([name, value]) => ["-c", `${name}=${value}`],
  );
  const [command, ...args] = [...runner.prefix, "sh", "-c", wrapper, "sh", binaries.postgres, "-D", places.cluster];
  const child = spawn(command!, [...args, ...options], {
    ...spawnOptions(runner),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const life = { over: false };
  const ended = new Promise<void>((resolve) => {
    child.once("exit", resolve).once("error", resolve);
  }).then(() => {
    life.over = true;
  });
  const pid = await firstLine(child, ended);
  while (!life.over) {
    const postmaster = readPostmaster(places);
    if (postmaster?.ready && postmaster.pid === pid) return { ended, stop: () => stopServer(child, pid, ended) };
    await delay(pollMs);
  }
  return undefined;
}

/** The process id of PostgreSQL, which the wrapper prints. */
async function firstLine(child: ChildProcess, ended: Promise<void>): Promise<number> {
  const line = once(createInterface({ input: child.stdout! }), "line");
  const answer = await Promise.race([line, ended]);
  return Number(answer?.[0]);
}

async function stopServer(child: ChildProcess, pid: number, ended: Promise<void>): Promise<void> {
  // The wrapper's read ends: a fast shutdown.
  child.stdin!.destroy();
  if (await endsWithin(ended, fastShutdownMs)) return;
  process.kill(pid, "SIGQUIT");
  if (await endsWithin(ended, immediateShutdownMs)) return;
  process.kill(pid, "SIGKILL");
  await ended;
}

async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const answer = await Promise.race([ended.then(() => true), late]);
  timer.abort();
  return answer;
}
