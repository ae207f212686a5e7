import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, fchownSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { appError } from "../../errors.ts";
import { inDataDir, type Paths, runtimeDirExists } from "./paths.ts";
import { readPostmaster, runningPostgres } from "./postmaster.ts";
import { maxLogBytes } from "./rotate-log.ts";
import type { SupervisorMessage } from "./supervisor.ts";

/** A lease from a supervisor whose PostgreSQL accepts connections. It lasts as long as the socket is open. */
export type SupervisorLease = {
  socket: Socket;
  supervisorPid: number;
  /**
   * Present if this process also started a supervisor, but another process's supervisor won. Resolves when our
   * supervisor has exited, which it does as soon as it notices.
   */
  loserExited?: () => Promise<void>;
};

/** A supervisor that this process started. It may not accept connections yet. */
type StartedSupervisor = {
  pid: number | undefined;
  hasExited: boolean;
  /** Why the supervisor failed. */
  fault?: string;
  /** When the supervisor last reported that PostgreSQL recovers; 0 before the first report. */
  lastProgressMs: number;
  /** Closes the IPC channel. After that, this process neither waits for the supervisor nor counts as a holder. */
  disconnect(): void;
  exited(): Promise<void>;
};

const startTimeoutMs = 60_000;
const pollMs = 20;

/**
 * Takes a lease from the supervisor of `paths`, and starts a supervisor if none answers. Calls `wanted` before each
 * attempt, and returns undefined once it is false. Throws an AppError (`unavailable`) that says what to do if
 * PostgreSQL does not come up within 60 s (longer only while it recovers from a crash).
 */
export async function joinSupervisor(paths: Paths, wanted: () => boolean): Promise<SupervisorLease | undefined> {
  const startedMs = Date.now();
  const logStart = logSize(paths);
  let started: StartedSupervisor | undefined;
  try {
    while (wanted()) {
      const lease = await requestLease(paths);
      if (lease)
        return started && started.pid !== lease.supervisorPid ? { ...lease, loserExited: started.exited } : lease;
      if (started?.fault) {
        // The supervisor has reported why, and is about to exit. Waits for the exit, so that a failed command leaves
        // no process behind.
        await started.exited();
        throw cannotStart(started.fault, paths, logStart);
      }
      if (!started || started.hasExited) started = startSupervisor(paths);
      if (Date.now() - Math.max(startedMs, started.lastProgressMs) > startTimeoutMs)
        throw cannotStart(describeTimeout(paths), paths, logStart);
      await delay(pollMs);
    }
    return undefined;
  } finally {
    started?.disconnect();
  }
}

/** Takes a lease. Returns undefined if no supervisor answers, or if the supervisor is about to exit. */
function requestLease(paths: Paths): Promise<SupervisorLease | undefined> {
  if (!runtimeDirExists(paths)) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const socket = createConnection(paths.supervisorSocket);
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk;
      if (!text.includes("\n")) return;
      socket.removeAllListeners().setTimeout(0);
      resolve({ socket, ...(JSON.parse(text) as { supervisorPid: number }) });
    };
    socket.on("data", read);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // EACCES means that the supervisor belongs to another user. All other errors mean that it has exited or is
      // about to.
      if (error.code === "EACCES") reject(cannotStart(`${paths.supervisorSocket}: permission denied.`));
    });
    socket.on("close", () => resolve(undefined));
    socket.setTimeout(startTimeoutMs, () => socket.destroy());
  });
}

/** Starts a supervisor in a session of its own, where Ctrl-C does not reach it. Its stderr is the log file. */
function startSupervisor(paths: Paths): StartedSupervisor {
  const log = inDataDir(paths.dataDir, () => openLog(paths));
  // When root works on another user's DATA_DIR, it must leave no files there that the user could not use.
  const user = process.getuid?.() === 0 && paths.owner.uid !== 0 ? paths.owner : {};
  const { PATH, TMPDIR } = process.env;
  const child: ChildProcess = fork(fileURLToPath(new URL("./supervisor.ts", import.meta.url)), [paths.dataDir], {
    ...user,
    cwd: "/",
    execArgv: [],
    env: { ...(PATH ? { PATH } : {}), ...(TMPDIR ? { TMPDIR } : {}) },
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const started: StartedSupervisor = {
    pid: child.pid,
    hasExited: false,
    lastProgressMs: 0,
    disconnect: () => {
      if (child.connected) child.disconnect();
      child.unref();
    },
    exited: async () => {
      if (started.hasExited) return;
      child.ref();
      await once(child, "exit");
    },
  };
  child.on("message", (message: SupervisorMessage) => {
    if ("fault" in message) started.fault = message.fault;
    // Only a recovery extends the timeout. A PostgreSQL that something else started may stay for ever.
    else if (isRecovering(paths)) started.lastProgressMs = Date.now();
  });
  child.on("error", (error) => {
    started.hasExited = true;
    started.fault = `Node.js could not be started (${error.message}).`;
  });
  child.on("exit", (code) => {
    started.hasExited = true;
    // Zero means that another supervisor won. Null means a signal from outside, so another attempt is worthwhile.
    if (code) started.fault ??= "The process that watches over PostgreSQL failed.";
  });
  return started;
}

function isRecovering(paths: Paths): boolean {
  return runningPostgres(paths) !== undefined && readPostmaster(paths)?.ready === false;
}

function openLog(paths: Paths): number {
  if (logSize(paths) > maxLogBytes) renameSync(paths.log, `${paths.log}.1`);
  const log = openSync(paths.log, "a", 0o600);
  if (process.getuid?.() === 0) fchownSync(log, paths.owner.uid, paths.owner.gid);
  return log;
}

function describeTimeout(paths: Paths): string {
  const pid = runningPostgres(paths);
  if (pid === undefined) return "It did not answer within a minute.";
  return `Process ${pid} uses ${paths.cluster}, started by something else. Stop that, or end it: kill -INT ${pid}`;
}

/** Returns the error for `reason`, with the last lines that were logged after the first `logStart` bytes. */
function cannotStart(reason: string, paths?: Paths, logStart = 0): Error {
  const log = paths && logSize(paths) > logStart ? readFileSync(paths.log).subarray(logStart).toString() : "";
  const lines = log.trim().split("\n").slice(-8).join("\n  ");
  const advice = "Put that right, or set DATABASE_URL to a PostgreSQL of your own.";
  const shown = lines ? `\nThe end of ${paths?.log}:\n  ${lines}` : "";
  return appError("unavailable", { message: `The embedded PostgreSQL did not start. ${reason}\n${advice}${shown}` });
}

function logSize(paths: Paths): number {
  return statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0;
}
