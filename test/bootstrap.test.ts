import { chmodSync, existsSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import {
  addRuntime,
  askFor,
  bootstrap,
  freshClone,
  installByHand,
  lockOf,
  npmCalls,
  npmStart,
  runtimeOf,
  until,
} from "./bootstrap/fixture.ts";

// The fresh clone of the current test.
let root: string;

beforeEach(() => {
  root = freshClone();
  return () => rmSync(root, { recursive: true, force: true });
});

test("a fresh clone is installed once, with one line on stderr and none on stdout", async () => {
  const first = bootstrap(root, ["show.mjs"]);
  expect(await first.end).toEqual([0, null]);
  expect(first.err()).toMatch(/^Installing dependencies \(npm ci\), once\..*\n$/);
  expect(JSON.parse(first.out())).toHaveProperty("argv");
  const second = bootstrap(root, ["show.mjs"]);
  await second.end;
  expect(second.err()).toBe("");
  expect(npmCalls(root).map(({ args }) => args)).toEqual(["ci --loglevel=error"]);
});

test("an installation that the user made with npm ci is used", async () => {
  installByHand(root);
  expect(await bootstrap(root, ["show.mjs"]).end).toEqual([0, null]);
  expect(npmCalls(root)).toEqual([]);
});

test("dependencies are installed again when package-lock.json asks for another version", async () => {
  installByHand(root);
  askFor(root, "2.0.0");
  expect(await bootstrap(root, ["show.mjs"]).end).toEqual([0, null]);
  expect(npmCalls(root)).toHaveLength(1);
});

test("an install that was killed half-way is repeated", async () => {
  writeFileSync(join(root, "hold"), "");
  const first = bootstrap(root, ["show.mjs"]);
  await until("npm to run", () => npmCalls(root).some(({ pid }) => lockOf(root).endsWith(` ${pid}`)));
  first.process.kill("SIGKILL");
  process.kill(npmCalls(root)[0]!.pid, "SIGKILL");
  rmSync(join(root, "hold"));
  const second = bootstrap(root, ["show.mjs"]);
  expect(await second.end).toEqual([0, null]);
  expect(npmCalls(root)).toHaveLength(2);
});

test("two commands on a fresh clone install once, and both run", async () => {
  writeFileSync(join(root, "hold"), "");
  const both = [bootstrap(root, ["show.mjs"]), bootstrap(root, ["show.mjs"])];
  await until("one to install and one to wait", () => both.every((run) => run.err() !== ""));
  rmSync(join(root, "hold"));
  for (const run of both) expect(await run.end).toEqual([0, null]);
  expect(npmCalls(root)).toHaveLength(1);
  expect(lockOf(root)).toBe("");
});

test("a command waits for the npm process of another command that was killed", async () => {
  writeFileSync(join(root, "hold"), "");
  const first = bootstrap(root, ["show.mjs"]);
  await until("npm to run", () => npmCalls(root).some(({ pid }) => lockOf(root).endsWith(` ${pid}`)));
  first.process.kill("SIGKILL");
  const second = bootstrap(root, ["show.mjs"]);
  await until("the second to wait", () => second.err().includes("waiting"));
  rmSync(join(root, "hold"));
  expect(await second.end).toEqual([0, null]);
  expect(npmCalls(root)).toHaveLength(1);
});

test("when npm fails its output is shown, and the next command tries again", async () => {
  writeFileSync(join(root, "broken"), "");
  const failed = bootstrap(root, ["show.mjs"]);
  expect(await failed.end).toEqual([1, null]);
  expect(failed.err()).toMatch(/the registry is gone\nnpm ci failed \(3\)/);
  expect(failed.out()).toBe("");
  rmSync(join(root, "broken"));
  expect(await bootstrap(root, ["show.mjs"]).end).toEqual([0, null]);
});

test.each([false, true])(
  "the program gets its path as argv[1], its arguments and the directory (old Node.js: %s)",
  async (oldNode) => {
    installByHand(root);
    addRuntime(root);
    const run = bootstrap(root, ["show.mjs", "provision", "--json"], { oldNode, cwd: join(root, "bin") });
    await run.end;
    const argv = [join(root, "show.mjs"), "provision", "--json"];
    expect(JSON.parse(run.out())).toEqual({ argv, cwd: realpathSync(join(root, "bin")) });
  },
);

test.each([false, true])("the program's exit code and signal are the command's (old Node.js: %s)", async (oldNode) => {
  installByHand(root);
  addRuntime(root);
  expect(await bootstrap(root, ["exit7.mjs"], { oldNode }).end).toEqual([7, null]);
  expect(await bootstrap(root, ["abort.mjs"], { oldNode }).end).toEqual([null, "SIGKILL"]);
});

test("with an old Node.js SIGTERM is passed on, and SIGINT is left to the terminal", async () => {
  installByHand(root);
  addRuntime(root);
  const run = bootstrap(root, ["serve.mjs"], { oldNode: true });
  await until("the program to run", () => run.out() !== "");
  run.process.kill("SIGINT");
  run.process.kill("SIGTERM");
  expect(await run.end).toEqual([5, null]);
  expect(run.out()).not.toContain("interrupted");
});

/** The program drains until the test lets it end. A second signal would end it with code 1. */
test.each([
  ["SIGTERM", "to its process group", () => bootstrap(root, ["drain.mjs"], { oldNode: true }), -1],
  ["SIGHUP", "to its process group", () => bootstrap(root, ["drain.mjs"], { oldNode: true }), -1],
  ["SIGTERM", "to npm start", () => npmStart(root, "drain.mjs"), 1],
  ["SIGTERM", "to the process group of npm start", () => npmStart(root, "drain.mjs"), -1],
  ["SIGINT", "to the process group of npm start", () => npmStart(root, "drain.mjs"), -1],
] as const)("one %s %s reaches the program, and counts once", async (signal, _, start, sign) => {
  installByHand(root);
  addRuntime(root);
  const run = start();
  await until("the program to run", () => run.out() !== "");
  process.kill(sign * run.process.pid!, signal);
  await until("the program to drain", () => run.out().includes("draining"));
  writeFileSync(join(root, "let-go"), "");
  await run.end;
  expect(run.process.exitCode === 0 || run.process.signalCode === signal).toBe(true);
});

test("with an old Node.js the program exits when the bootstrap is killed with -9", async () => {
  installByHand(root);
  addRuntime(root);
  const run = bootstrap(root, ["serve.mjs"], { oldNode: true });
  await until("the program to run", () => run.out() !== "");
  run.process.kill("SIGKILL");
  await run.end;
  expect(existsSync(join(root, "gone"))).toBe(true);
});

test("watching the bootstrap does not keep a program running", async () => {
  installByHand(root);
  addRuntime(root);
  expect(await bootstrap(root, ["idle.mjs"], { oldNode: true }).end).toEqual([0, null]);
});

test("an old Node.js without an installed newer one exits and says what to do", async () => {
  installByHand(root);
  const run = bootstrap(root, ["show.mjs"], { oldNode: true });
  expect(await run.end).toEqual([1, null]);
  expect(run.err()).toMatch(
    /^Pressbell needs Node\.js 24 or later; this is 20\.0\.0.*Install Node\.js 24 or later, or run: npm ci --include=optional\n$/,
  );
});

test.each([
  [
    "misses a library",
    "echo 'node: error while loading shared libraries: libatomic.so.1' >&2; exit 127",
    /\(node: error.*libatomic/,
  ],
  ["is too old, too", "echo v20.1.0", /\(v20\.1\.0\)/],
  ["crashes", "kill -SEGV $$", /\(SIGSEGV\)/],
])("an installed Node.js that %s is not used, and one line says so", async (_, script, reason) => {
  installByHand(root);
  addRuntime(root, script);
  const run = bootstrap(root, ["show.mjs"], { oldNode: true });
  expect(await run.end).toEqual([1, null]);
  expect(run.err()).toMatch(/^Pressbell needs Node\.js 24 .*does not run here.*Install Node\.js 24 or later, or.*\n$/);
  expect(run.err()).toMatch(reason);
});

test("an installed Node.js that cannot be executed is not used", async () => {
  installByHand(root);
  addRuntime(root, "");
  chmodSync(runtimeOf(root), 0o644);
  const run = bootstrap(root, ["show.mjs"], { oldNode: true });
  expect(await run.end).toEqual([1, null]);
  expect(run.err()).toMatch(/^Pressbell needs Node\.js 24 .*does not run here.*EACCES.*\n$/);
});

test("a new Node.js of the machine comes before the installed one", async () => {
  installByHand(root);
  addRuntime(root, "exit 1");
  expect(await bootstrap(root, ["show.mjs"]).end).toEqual([0, null]);
});

test.each(["18.20.8", "12.22.12"])("Node.js %s gets one line, before anything is installed", async (oldNode) => {
  const run = bootstrap(root, ["show.mjs"], { oldNode });
  expect(await run.end).toEqual([1, null]);
  expect(run.err()).toBe(
    `Pressbell needs Node.js 20 or later to start; this is ${oldNode}. Install a newer one: https://nodejs.org\n`,
  );
  expect(npmCalls(root)).toEqual([]);
});
