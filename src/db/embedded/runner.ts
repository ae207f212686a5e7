import { spawnSync } from "node:child_process";
import { chownSync, lstatSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { appError } from "../../errors.ts";
import type { Binaries } from "./binaries.ts";
import type { Paths } from "./paths.ts";

/** How PostgreSQL's programs are started. PostgreSQL refuses to run as root, so root has to switch to another user. */
export type Runner = {
  /** The command to put before the program on the command line; empty to run the program directly. */
  prefix: string[];
  /** The user to run as. The data folder belongs to this user. */
  uid?: number;
  gid?: number;
};

const asCurrentUser: Runner = { prefix: [] };
// In a user namespace without a mapping, the process runs as an unprivileged user, who owns files that belong to root
// outside. It can reach whatever root owns, even below a home directory that is closed to others.
const inNamespace: Runner = { prefix: ["unshare", "-U", "--"] };

/**
 * Chooses the runner. The owner of an existing data folder decides. Throws AppError (`unavailable`) if this process
 * is root and no other user can run PostgreSQL here.
 */
export function chooseRunner(binaries: Binaries, paths: Paths): Runner {
  if (process.getuid?.() !== 0) return asCurrentUser;
  const cluster = lstatSync(paths.cluster, { throwIfNoEntry: false });
  const candidates = cluster
    ? [cluster.uid === 0 ? inNamespace : { prefix: [], uid: cluster.uid, gid: cluster.gid }]
    : [nobody(), inNamespace, ...ownersAround(binaries, paths)];
  const runner = candidates.find((candidate) => candidate && canRun(candidate, binaries, paths));
  if (runner) return runner;
  throw appError("unavailable", {
    message: cluster ? cannotUse(cluster.uid, binaries, paths) : cannotStart(binaries, paths),
  });
}

/**
 * Returns the message of the error. Another DATA_DIR alone does not help if the program is in a closed folder, such
 * as a checkout in /root.
 */
function cannotStart(binaries: Binaries, paths: Paths): string {
  const start = "PostgreSQL does not run as root, and other users cannot";
  const closed = closedAbove(binaries.postgres);
  if (closed !== undefined)
    return (
      `${start} enter ${closed}, where its program is. Move the installation of Pressbell out of there, such as to /opt, ` +
      "or install and run it as a user of its own. Another DATA_DIR alone does not help."
    );
  return (
    `${start} use both ${binaries.postgres} and ${paths.dataDir}. ` +
    "Run Pressbell as a user of its own, or set DATA_DIR to a folder that others may pass through."
  );
}

/** Returns the highest folder above the absolute path `path` that others may not pass through. */
function closedAbove(path: string): string | undefined {
  const folder = dirname(path);
  if (folder === path) return undefined;
  return closedAbove(folder) ?? ((statSync(folder).mode & 0o001) === 0 ? folder : undefined);
}

function cannotUse(uid: number, binaries: Binaries, paths: Paths): string {
  const who = uid === 0 ? "root, and user namespaces (unshare -U) are switched off here" : `user ${uid}`;
  return (
    `${paths.cluster} belongs to ${who}: PostgreSQL cannot run there from ${binaries.postgres}. ` +
    "Move one of the two to where that user can reach it, or run Pressbell as that user."
  );
}

/**
 * Returns runners as the users who own the folders. Below a user's home that is closed to others (`sudo npm start`),
 * that user can reach every path.
 */
function ownersAround(binaries: Binaries, paths: Paths): Runner[] {
  const owners = [lstatSync(binaries.postgres), lstatSync(dirname(paths.dataDir))];
  return owners.filter(({ uid }) => uid !== 0).map(({ uid, gid }) => ({ prefix: [], uid, gid }));
}

/** Returns the user "nobody": 65534 on Linux, and -2 on macOS, which `id` prints as an unsigned number. */
function nobody(): Runner | undefined {
  const [uid, gid] = ["-u", "-g"].map((option) => {
    const text = spawnSync("id", [option, "nobody"], { encoding: "utf8" }).stdout?.trim();
    return text ? Number(text) | 0 : undefined;
  });
  return uid === undefined || gid === undefined ? undefined : { prefix: [], uid, gid };
}

/** Tries whether a runner works. Permissions, mount options and security modules are too many to predict the result. */
function canRun(runner: Runner, binaries: Binaries, paths: Paths): boolean {
  const trial = mkdtempSync(join(paths.dataDir, "postgres.trial-"));
  try {
    if (runner.uid !== undefined) chownSync(trial, runner.uid, runner.gid!);
    const tried = run(runner, "sh", ["-c", 'test -w "$1" && "$2" --version', "sh", trial, binaries.postgres]);
    return tried.status === 0;
  } catch {
    // A container may lack the right to change the owner of files.
    return false;
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

/** Returns options for child_process. The environment has none of our secrets, and not the user's PGDATA or locale. */
export function spawnOptions(runner: Runner) {
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  const user = runner.uid === undefined ? {} : { uid: runner.uid, gid: runner.gid! };
  return { cwd: "/", env, ...user };
}

/** Runs `program` with `runner` and waits for its end. Returns the result of spawnSync with the output as text. */
export function run(runner: Runner, program: string, args: string[], input = "") {
  const [command, ...rest] = [...runner.prefix, program, ...args];
  return spawnSync(command!, rest, { ...spawnOptions(runner), input, encoding: "utf8" });
}
