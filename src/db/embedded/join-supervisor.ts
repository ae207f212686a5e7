import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, fchownSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { appError } from "../../errors.ts";
import { inDataDir, meetingPlaceExists, type Places } from "./places.ts";
import { readPostmaster, runningPostgres } from "./postmaster.ts";
import type { SupervisorMessage } from "./supervisor.ts";

/**
 * A lease at a keeper whose PostgreSQL accepts connections: it lasts as long as the socket is open. `rival` waits for
 * the end of a keeper that was started here but came too late, and may still be about to notice.
 */
export type Held = { socket: Socket; keeperPid: number; rival?: () => Promise<void> };

type Starter = {
  pid: number | undefined;
  over: boolean;
  fault?: string;
  lastSignMs: number;
  letGo(): void;
  ended(): Promise<void>;
};

const waitBudgetMs = 60_000;
const pollMs = 20;
const longestLogBytes = 8 * 1024 * 1024;

/**
 * Takes a lease at the keeper of `places`, and starts one where none answers. `wanted` is asked before each try; when
 * it says no, the answer is undefined. Throws what to do when PostgreSQL does not come up within 60 s (longer only
 * while it recovers from a crash).
 */
export async function joinSupervisor(places: Places, wanted: () => boolean): Promise<Held | undefined> {
  const startedMs = Date.now();
  const logStart = logSize(places);
  let starter: Starter | undefined;
  try {
    while (wanted()) {
      const held = await knock(places);
      if (held) return starter && starter.pid !== held.keeperPid ? { ...held, rival: starter.ended } : held;
      if (starter?.fault) {
        // It has said why and is about to go: a command that failed leaves nothing behind either.
        await starter.ended();
        throw cannotStart(starter.fault, places, logStart);
      }
      if (!starter || starter.over) starter = startKeeper(places);
      if (Date.now() - Math.max(startedMs, starter.lastSignMs) > waitBudgetMs)
        throw cannotStart(stuck(places), places, logStart);
      await delay(pollMs);
    }
    return undefined;
  } finally {
    starter?.letGo();
  }
}

/** Undefined when no keeper answers, or one that is about to end. */
function knock(places: Places): Promise<Held | undefined> {
  if (!meetingPlaceExists(places)) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const socket = createConnection(places.keeperSocket);
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk;
      if (!text.includes("\n")) return;
      socket.removeAllListeners().setTimeout(0);
      resolve({ socket, keeperPid: (JSON.parse(text) as { keeper: number }).keeper });
    };
    socket.on("data", read);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // EACCES: somebody else's keeper. All others are a keeper that is gone or going.
      if (error.code === "EACCES") reject(cannotStart(`${places.keeperSocket}: permission denied.`));
    });
    socket.on("close", () => resolve(undefined));
    socket.setTimeout(waitBudgetMs, () => socket.destroy());
  });
}

/** Starts a keeper in a session of its own, where no Ctrl-C reaches it, with the log as its stderr. */
function startKeeper(places: Places): Starter {
  const log = inDataDir(places.dataDir, () => openLog(places));
  // Root that works on another user's DATA_DIR leaves nothing there that the user could not use.
  const user = process.getuid?.() === 0 && places.owner.uid !== 0 ? places.owner : {};
  const { PATH, TMPDIR } = process.env;
  const child: ChildProcess = fork(fileURLToPath(new URL("./supervisor.ts", import.meta.url)), [places.dataDir], {
    ...user,
    cwd: "/",
    execArgv: [],
    env: { ...(PATH ? { PATH } : {}), ...(TMPDIR ? { TMPDIR } : {}) },
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const starter: Starter = {
    pid: child.pid,
    over: false,
    lastSignMs: 0,
    letGo: () => {
      if (child.connected) child.disconnect();
      child.unref();
    },
    ended: async () => {
      if (starter.over) return;
      child.ref();
      await once(child, "exit");
    },
  };
  child.on("message", (message: SupervisorMessage) => {
    if ("fault" in message) starter.fault = message.fault;
    // Only PostgreSQL at work is worth waiting for: it recovers. A foreign one that stays would be waited for for ever.
    else if (isRecovering(places)) starter.lastSignMs = Date.now();
  });
  child.on("error", (error) => {
    starter.over = true;
    starter.fault = `Node.js could not be started (${error.message}).`;
  });
  child.on("exit", (code) => {
    starter.over = true;
    // Zero: another keeper won. By a signal: somebody's doing, worth another try.
    if (code) starter.fault ??= "The process that watches over PostgreSQL failed.";
  });
  return starter;
}

function isRecovering(places: Places): boolean {
  return runningPostgres(places) !== undefined && readPostmaster(places)?.ready === false;
}

function openLog(places: Places): number {
  if (logSize(places) > longestLogBytes) renameSync(places.log, `${places.log}.1`);
  const log = openSync(places.log, "a", 0o600);
  if (process.getuid?.() === 0) fchownSync(log, places.owner.uid, places.owner.gid);
  return log;
}

function stuck(places: Places): string {
  const pid = runningPostgres(places);
  if (pid === undefined) return "It did not answer within a minute.";
  return `Process ${pid} uses ${places.cluster}, started by something else. End it: kill -INT ${pid}`;
}

/** The error for `reason`, with the end of what the log got since `logStart` bytes. */
function cannotStart(reason: string, places?: Places, logStart = 0): Error {
  const log = places && logSize(places) > logStart ? readFileSync(places.log).subarray(logStart).toString() : "";
  const lines = log.trim().split("\n").slice(-8).join("\n  ");
  const advice = "Put that right, or set DATABASE_URL to a PostgreSQL of your own.";
  const shown = lines ? `\nThe end of ${places?.log}:\n  ${lines}` : "";
  return appError("unavailable", { message: `The embedded PostgreSQL did not start. ${reason}\n${advice}${shown}` });
}

function logSize(places: Places): number {
  return statSync(places.log, { throwIfNoEntry: false })?.size ?? 0;
}
