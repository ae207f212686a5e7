import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { longTests } from "./fixtures/long-tests.ts";

/*
 * npm run test:changed [-- REF]
 *
 * Runs the tests of `npm test` that belong to what has changed since REF (by default where this branch left main),
 * committed or not: tests that import a changed file, directly or through others, tests in the folder of test/ that is
 * named as the changed folder of src/, and the document tests. Tests that reach a change only through a fixture, the
 * whole service or a process that they start are left to `npm test`: that would be two of three.
 */

/** Files that import the whole service. */
const wholeService = new Set(["src/http/server.ts", "src/cli/serve.ts", "src/main.ts"]);

const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim().split("\n").filter(Boolean);
const hasOrigin = spawnSync("git", ["rev-parse", "--verify", "--quiet", "origin/main"]).status === 0;
const ref = process.argv[2] ?? (hasOrigin ? "origin/main" : "main");
const [base] = git("merge-base", ref, "HEAD");
const untracked = git("ls-files", "--others", "--exclude-standard");
const changed = new Set([...git("diff", "--name-only", base!), ...untracked]);

const tests = [
  ...git("ls-files", "test/*.test.ts"),
  ...untracked.filter((file) => /^test\/.*\.test\.ts$/.test(file)),
].filter(
  (file) =>
    existsSync(file) && ![...longTests, "test/faults/", "test/browsers/"].some((suite) => file.startsWith(suite)),
);
const folders = new Set([...changed].map((file) => /^src\/([\w-]+)(\/|\.ts$)/.exec(file)?.[1]));
const isOfFolder = (test: string) => folders.has(/^test\/([\w-]+)/.exec(test)![1]);
const chosen = tests.filter((test) => test.startsWith("test/docs/") || isOfFolder(test) || reaches(test, new Set()));

process.stderr.write(
  `${changed.size} files have changed since ${ref}: ${chosen.length} of ${tests.length} test files\n`,
);
const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...chosen], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;

/** Returns whether `file` has changed, or imports a changed file. `seen` has the files that were already looked at. */
function reaches(file: string, seen: Set<string>): boolean {
  if (changed.has(file)) return true;
  if (seen.has(file) || wholeService.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const isFixture = file.startsWith("test/fixtures/");
  return importsOf(file).some((imported) => !(isFixture && imported.startsWith("src/")) && reaches(imported, seen));
}

/** Returns the files that a file imports, without imports of types only. The compiler checks those. */
function importsOf(file: string): string[] {
  const statements = readFileSync(file, "utf8").matchAll(/^(?:import|export)(?! type )[^;]*?"(\.[^"]*)";$/gm);
  return [...statements].map(([, path]) => join(dirname(file), path!));
}
