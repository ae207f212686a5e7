import { existsSync, rmdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Binaries, findBinaries } from "../db/embedded/binaries.ts";
import { type Paths, pathsOf, runtimeDirExists } from "../db/embedded/paths.ts";
import { chooseRunner, type Runner, run } from "../db/embedded/runner.ts";
import { type Finding, failed, ok, reasonOf } from "./finding.ts";

/**
 * Tests what the first start of the embedded PostgreSQL needs, in the order of that start: its package, the folder
 * DATA_DIR, and a user who can run the package's programs there. Removes the folders that it has created.
 */
export function checkFirstStart(dataDir: string): Finding[] {
  const binaries = attempt("database package", findBinaries);
  if ("level" in binaries) return [binaries];
  const missing = missingFolders(resolve(dataDir));
  try {
    const paths = attempt("database folder", () => usablePathsOf(dataDir));
    if ("level" in paths) return [paths];
    return [ok("database", `embedded: the first start creates it in ${dataDir}`), checkUser(binaries, paths)];
  } finally {
    removeEmpty(missing);
  }
}

function checkUser(binaries: Binaries, paths: Paths): Finding {
  const check = "database user";
  const runner = attempt(check, () => chooseRunner(binaries, paths));
  if ("level" in runner) return runner;
  const { status, stdout, stderr, error } = run(runner, binaries.postgres, ["--version"]);
  if (status === 0) return ok(check, `${stdout.trim()} runs as ${nameOf(runner)}`);
  const reason = reasonOf(error ?? new Error(stderr.trim().split("\n").at(-1)));
  return failed(check, `${binaries.postgres} does not run as ${nameOf(runner)} (${reason}): install what it misses`);
}

function usablePathsOf(dataDir: string): Paths {
  const paths = pathsOf(dataDir);
  runtimeDirExists(paths);
  return paths;
}

function nameOf({ uid, prefix }: Runner): string {
  if (uid !== undefined) return `user ${uid}, because PostgreSQL refuses root`;
  return prefix.length > 0 ? "root in a user namespace, because PostgreSQL refuses root" : "this user";
}

/** Returns the result of `work`, or a failed finding with the message of its error, which says what to do. */
function attempt<T extends object>(check: string, work: () => T): T | Finding {
  try {
    return work();
  } catch (error) {
    return failed(check, reasonOf(error));
  }
}

/** Returns the missing folders of the path `folder`, the deepest first. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))];
}

/**
 * Removes empty folders. Leaves a folder that cannot be removed, because a start at the same moment may have put files
 * there.
 */
function removeEmpty(folders: string[]): void {
  try {
    for (const folder of folders) if (existsSync(folder)) rmdirSync(folder);
  } catch {
    // An empty folder does no harm.
  }
}
