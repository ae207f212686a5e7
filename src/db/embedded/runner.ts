import { spawnSync } from "node:child_process";
import { chownSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { appError } from "../../errors.ts";
import type { Binaries } from "./binaries.ts";
import type { Places } from "./places.ts";

/** How PostgreSQL's programs are started: PostgreSQL refuses to run as root, so root has to become somebody else. */
export type Runner = {
  /** Goes before the program on the command line. */
  prefix: string[];
  /** Becomes this user; the data folder belongs to it. */
  uid?: number;
  gid?: number;
};

const asOurselves: Runner = { prefix: [] };
// In a user namespace without a mapping the files belong to root outside, while the process sees itself as a user
// without rights who owns them. It reaches what root owns, also below a closed home.
const inNamespace: Runner = { prefix: ["unshare", "-U", "--"] };

/** Chooses the runner; an existing data folder keeps the one that its owner asks for. Throws when root has none. */
export function chooseRunner(binaries: Binaries, places: Places): Runner {
  if (process.getuid?.() !== 0) return asOurselves;
  const cluster = lstatSync(places.cluster, { throwIfNoEntry: false });
  const candidates = cluster
    ? [cluster.uid === 0 ? inNamespace : { prefix: [], uid: cluster.uid, gid: cluster.gid }]
    : [nobody(), inNamespace, ...ownersAround(binaries, places)];
  const runner = candidates.find((candidate) => candidate && reachesAll(candidate, binaries, places));
  if (runner) return runner;
  throw appError("unavailable", { message: cluster ? cannotKeep(cluster.uid, binaries, places) : cannotStart(places) });
}

function cannotStart(places: Places): string {
  return (
    "PostgreSQL does not run as root, and no other user can reach both this program and " +
    `${places.dataDir}. Run Pressbell as an ordinary user, or set DATA_DIR to a folder that others may pass through.`
  );
}

function cannotKeep(uid: number, binaries: Binaries, places: Places): string {
  const who = uid === 0 ? "root, and user namespaces (unshare -U) are switched off here" : `user ${uid}`;
  return (
    `${places.cluster} belongs to ${who}: PostgreSQL cannot run there from ${binaries.postgres}. ` +
    "Move one of the two to where that user can reach it, or run Pressbell as that user."
  );
}

/** In the closed home of an ordinary user (`sudo npm start`) that user gets everywhere. */
function ownersAround(binaries: Binaries, places: Places): Runner[] {
  const owners = [lstatSync(binaries.postgres), lstatSync(dirname(places.dataDir))];
  return owners.filter(({ uid }) => uid !== 0).map(({ uid, gid }) => ({ prefix: [], uid, gid }));
}

/** Linux: 65534. macOS: -2, which `id` prints as an unsigned number. */
function nobody(): Runner | undefined {
  const [uid, gid] = ["-u", "-g"].map((option) => {
    const text = spawnSync("id", [option, "nobody"], { encoding: "utf8" }).stdout?.trim();
    return text ? Number(text) | 0 : undefined;
  });
  return uid === undefined || gid === undefined ? undefined : { prefix: [], uid, gid };
}

/** Tries it: permissions, mount options and security modules are too many to be reasoned about. */
function reachesAll(runner: Runner, binaries: Binaries, places: Places): boolean {
  const trial = mkdtempSync(join(places.dataDir, "postgres.trial-"));
  try {
    if (runner.uid !== undefined) chownSync(trial, runner.uid, runner.gid!);
    const tried = run(runner, "sh", ["-c", 'test -w "$1" && "$2" --version', "sh", trial, binaries.postgres]);
    return tried.status === 0;
  } catch {
    // A container may hold back the right to give files away.
    return false;
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

/** What PostgreSQL's processes get: no secret of ours, no PGDATA or locale of the user's. */
export function spawnOptions(runner: Runner) {
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  const user = runner.uid === undefined ? {} : { uid: runner.uid, gid: runner.gid! };
  return { cwd: "/", env, ...user };
}

/** Runs `program` as the runner says and waits for its end. Returns spawnSync's answer, output as text. */
export function run(runner: Runner, program: string, args: string[], input = "") {
  const [command, ...rest] = [...runner.prefix, program, ...args];
  return spawnSync(command!, rest, { ...spawnOptions(runner), input, encoding: "utf8" });
}
