import { chownSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { appError } from "../../errors.ts";
import type { Binaries } from "./binaries.ts";
import type { Paths } from "./paths.ts";
import { type Runner, run } from "./runner.ts";

/** The name of the role and of the database that Pressbell uses. */
export const role = "pressbell";
const leftoverAfterMs = 10 * 60_000;

/**
 * Creates PostgreSQL's data folder if there is none. Throws AppError (`unavailable`) if another major version wrote it.
 */
export function ensureCluster(binaries: Binaries, paths: Paths, runner: Runner): void {
  if (!existsSync(paths.cluster)) createCluster(binaries, paths, runner);
  const found = readFileSync(join(paths.cluster, "PG_VERSION"), "utf8").trim();
  if (found === binaries.majorVersion) return;
  throw appError("unavailable", {
    message:
      `${paths.cluster} was written by PostgreSQL ${found}, but this Pressbell brings ${binaries.majorVersion}. ` +
      "Install the former Pressbell again and write a backup with it (pressbell backup), then restore that with this one " +
      "into an empty DATA_DIR (pressbell restore): docs/upgrade.md.",
  });
}

/**
 * Creates the data folder under a temporary name and renames it. So it is either complete or absent, and if two
 * processes create it at once, one wins.
 */
function createCluster(binaries: Binaries, paths: Paths, runner: Runner): void {
  removeLeftovers(paths);
  const fresh = mkdtempSync(join(paths.dataDir, "postgres.new-"));
  try {
    if (runner.uid !== undefined) chownSync(fresh, runner.uid, runner.gid!);
    const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    // With "reject", nobody can connect until the start sets a password (password.ts).
    const access = [`--username=${role}`, "--auth=reject"];
    const initialized = run(runner, binaries.initdb, [
      "-D",
      fresh,
      ...locale,
      ...access,
      "--no-sync",
      "--no-instructions",
    ]);
    if (initialized.status !== 0) throw failed("initdb", initialized, paths);
    const create = `create database ${role}\n`;
    const created = run(runner, binaries.postgres, ["--single", "-j", "-F", "-D", fresh, "template1"], create);
    if (created.status !== 0) throw failed("create database", created, paths);
    renameSync(fresh, paths.cluster);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process was first. Its data folder is just as good.
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Returns the error for a program of PostgreSQL that failed at `step`, with the last lines of its output. */
export function failed(step: string, result: { stderr: string | null; error?: Error }, paths: Paths): Error {
  const reason = result.error?.message ?? result.stderr?.trim().split("\n").slice(-5).join("\n");
  return appError("unavailable", {
    message: `PostgreSQL's data folder could not be prepared in ${paths.dataDir} (${step}): ${reason}`,
  });
}

/** Removes the folders of processes that were killed halfway. A younger folder may still be in use. */
function removeLeftovers(paths: Paths): void {
  for (const name of readdirSync(paths.dataDir)) {
    if (!name.startsWith("postgres.new-") && !name.startsWith("postgres.trial-")) continue;
    const path = join(paths.dataDir, name);
    const age = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > leftoverAfterMs) rmSync(path, { recursive: true, force: true });
  }
}
