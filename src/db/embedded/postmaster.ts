import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Paths } from "./paths.ts";

const emptyForMs = 1_000;

/**
 * The content of PostgreSQL's postmaster.pid: the process id in the first line, and "ready" in the eighth. In
 * single-user mode, as while a start sets the password, PostgreSQL writes the id with a minus.
 */
export type Postmaster = { pid: number; ready: boolean };

/** Reads postmaster.pid. Returns undefined if there is none, or it holds no process id. */
export function readPostmaster(paths: Paths): Postmaster | undefined {
  const lines = readPidFile(paths)?.split("\n");
  const pid = Math.abs(Number(lines?.[0]));
  return Number.isInteger(pid) && pid > 0 ? { pid, ready: lines?.[7]?.trim() === "ready" } : undefined;
}

/** Returns the process id of the PostgreSQL that runs on this data folder, no matter which process started it. */
export function runningPostgres(paths: Paths): number | undefined {
  const pid = readPostmaster(paths)?.pid;
  return pid !== undefined && isPostgresOf(paths, pid) ? pid : undefined;
}

/**
 * Removes a postmaster.pid that a crash left behind. PostgreSQL does so itself, unless another program has that
 * process id by now (after a reboot or in a restarted container). Then PostgreSQL would refuse to start for ever.
 */
export async function removeStalePidFile(paths: Paths): Promise<void> {
  const text = readPidFile(paths);
  if (text === undefined || runningPostgres(paths) !== undefined) return;
  // Another supervisor's PostgreSQL may have created the file just now, without its process id yet.
  if (text === "") await delay(emptyForMs);
  // The file is read again, because another supervisor may have removed it, and its PostgreSQL may have written a new
  // one.
  if (readPidFile(paths) === text) rmSync(pidFile(paths), { force: true });
}

function pidFile(paths: Paths): string {
  return join(paths.cluster, "postmaster.pid");
}

function readPidFile(paths: Paths): string | undefined {
  try {
    return readFileSync(pidFile(paths), "utf8");
  } catch {
    return undefined;
  }
}

function isPostgresOf(paths: Paths, pid: number): boolean {
  const [program = "", ...args] = commandLine(pid);
  if (basename(program) !== "postgres") return false;
  return `${args.join(" ")} `.includes(`-D ${paths.cluster} `) || workingDirectory(pid) === paths.cluster;
}

/**
 * Returns the working directory of a process. PostgreSQL's is its data folder, which its command line may not show.
 * Works on Linux only.
 */
function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Returns the program of a process and its arguments; an empty list if there is no such process. */
function commandLine(pid: number): string[] {
  if (process.platform !== "linux") {
    // `ps` does not show where an argument ends. The caller joins the arguments again, so a path with spaces is still
    // found.
    const text = spawnSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "";
    const [, program, rest] = /^(.*?\/postgres)(?: (.*))?$/s.exec(text.trim()) ?? [];
    return program ? [program, rest ?? ""] : [];
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
