import { chownSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { appError } from "../../errors.ts";
import type { Binaries } from "./binaries.ts";
import type { Places } from "./places.ts";
import { type Runner, run } from "./runner.ts";

/** The role and the database that Pressbell uses. */
export const role = "pressbell";
const leftoverAfterMs = 10 * 60_000;

/** Makes PostgreSQL's data folder if there is none. Throws when it is another major version's. */
export function ensureCluster(binaries: Binaries, places: Places, runner: Runner): void {
  if (!existsSync(places.cluster)) makeCluster(binaries, places, runner);
  const found = readFileSync(join(places.cluster, "PG_VERSION"), "utf8").trim();
  if (found === binaries.majorVersion) return;
  throw appError("unavailable", {
    message:
      `${places.cluster} was written by PostgreSQL ${found}, but this Pressbell brings ${binaries.majorVersion}. ` +
      `Dump it with PostgreSQL ${found} and load the dump into an empty DATA_DIR, or go back to the former Pressbell.`,
  });
}

/** Made beside its place and renamed: a data folder is whole or not there, and of two makers one wins. */
function makeCluster(binaries: Binaries, places: Places, runner: Runner): void {
  removeLeftovers(places);
  const fresh = mkdtempSync(join(places.dataDir, "postgres.new-"));
  try {
    if (runner.uid !== undefined) chownSync(fresh, runner.uid, runner.gid!);
    const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const access = [`--username=${role}`, "--auth=trust"];
    // Trust: the only way in is a Unix socket in a folder that nobody else can enter.
    const made = run(runner, binaries.initdb, ["-D", fresh, ...locale, ...access, "--no-sync", "--no-instructions"]);
    if (made.status !== 0) throw failed("initdb", made, places);
    const create = `create database ${role}\n`;
    const created = run(runner, binaries.postgres, ["--single", "-j", "-F", "-D", fresh, "template1"], create);
    if (created.status !== 0) throw failed("create database", created, places);
    renameSync(fresh, places.cluster);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Somebody else was first: theirs is as good.
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function failed(step: string, result: { stderr: string | null; error?: Error }, places: Places): Error {
  const reason = result.error?.message ?? result.stderr?.trim().split("\n").slice(-5).join("\n");
  return appError("unavailable", {
    message: `PostgreSQL's data folder could not be made in ${places.dataDir} (${step}): ${reason}`,
  });
}

/** What a maker that was killed half-way left. A younger one may still be at work. */
function removeLeftovers(places: Places): void {
  for (const name of readdirSync(places.dataDir)) {
    if (!name.startsWith("postgres.new-") && !name.startsWith("postgres.trial-")) continue;
    const path = join(places.dataDir, name);
    const age = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > leftoverAfterMs) rmSync(path, { recursive: true, force: true });
  }
}
