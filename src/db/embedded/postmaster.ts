import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Places } from "./places.ts";

/** What PostgreSQL writes about itself: process id in the first line, "ready" in the eighth. */
export type Postmaster = { pid: number; ready: boolean };

/** Reads postmaster.pid; undefined when no server left one. */
export function readPostmaster(places: Places): Postmaster | undefined {
  const lines = readPidFile(places)?.split("\n");
  const pid = Number(lines?.[0]);
  return Number.isInteger(pid) && pid > 0 ? { pid, ready: lines?.[7]?.trim() === "ready" } : undefined;
}

/** The process id of the PostgreSQL that runs on this data folder, whoever started it. */
export function runningPostgres(places: Places): number | undefined {
  const pid = readPostmaster(places)?.pid;
  return pid !== undefined && isPostgresOf(places, pid) ? pid : undefined;
}

/**
 * Removes a postmaster.pid that a crash left behind. PostgreSQL does so itself unless the process id lives again as
 * another program (after a reboot or in a restarted container); then it would refuse to start for ever.
 */
export function removeStalePidFile(places: Places): void {
  const text = readPidFile(places);
  if (text === undefined || runningPostgres(places) !== undefined) return;
  // Read again at once: another keeper may have removed it, and its PostgreSQL written a new one.
  if (readPidFile(places) === text) rmSync(pidFile(places), { force: true });
}

function pidFile(places: Places): string {
  return join(places.cluster, "postmaster.pid");
}

function readPidFile(places: Places): string | undefined {
  try {
    return readFileSync(pidFile(places), "utf8");
  } catch {
    return undefined;
  }
}

function isPostgresOf(places: Places, pid: number): boolean {
  const [program = "", ...args] = commandLine(pid);
  if (basename(program) !== "postgres") return false;
  return `${args.join(" ")} `.includes(`-D ${places.cluster} `) || workingFolder(pid) === places.cluster;
}

/** PostgreSQL works in its data folder, which tells it where the command line does not. Known on Linux only. */
function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** The words of a process's command line; none when there is no such process. */
function commandLine(pid: number): string[] {
  if (process.platform !== "linux") {
    // `ps` does not say where a word ends; a path with spaces is put together again by the caller.
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
