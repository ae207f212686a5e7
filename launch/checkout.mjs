// Runs a program of the checkout. Installs missing dependencies first.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { fail, runProgram } from "./runtime.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const installed = join(root, "node_modules", ".package-lock.json");
// The lock is not in node_modules, because npm ci removes that folder. .gitignore ignores *.log.
const lock = join(root, ".installing.log");

const [target, ...args] = process.argv.slice(2);
if (!target) fail("Usage: node bootstrap.mjs TARGET [args…], for example: node bootstrap.mjs src/main.ts start");
if (!isInstalled()) await installOnce();
const path = resolve(root, target);
if (!existsSync(path)) fail(`${path} does not exist. (Without development dependencies? Run: npm ci)`);
enableCompileCache();
await runProgram(path, args, "npm ci --include=optional");

/** Caches stripped and compiled TypeScript, which makes a start a third faster. Child processes inherit the setting. */
function enableCompileCache() {
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");
  nodeModule.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
}

/**
 * Returns whether node_modules matches package-lock.json. Compares it with npm's hidden lockfile
 * (node_modules/.package-lock.json). npm writes that file last, so it is missing after an interrupted install. A
 * manual `npm ci` writes it too.
 */
function isInstalled() {
  const wanted = packagesOf(join(root, "package-lock.json"));
  const present = packagesOf(installed);
  if (!wanted) return true;
  if (!present) return false;
  const isThere = ([name, entry]) => {
    const own = present[name];
    // Optional packages may be for other platforms. Development packages may be missing, unless TARGET is in one of
    // them.
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

/** Installs under a lock. If two commands start on a fresh clone, one installs and the other waits. */
async function installOnce() {
  for (let isWaiting = false; !acquireLock(); isWaiting = true) {
    if (!isWaiting) process.stderr.write(`Another command installs the dependencies; waiting. (Its lock: ${lock})\n`);
    await delay(100);
  }
  try {
    // The other command may have installed meanwhile.
    if (!isInstalled()) await install();
  } finally {
    rmSync(lock, { force: true });
  }
}

async function install() {
  process.stderr.write("Installing dependencies (npm ci), once. This takes a minute or less.\n");
  // Deleted first, so that an interrupted install is not taken for a complete one.
  rmSync(installed, { force: true });
  // `npm run` puts node_modules/.bin first in PATH. If that folder holds a Node.js (.npmrc prevents this), npm ci
  // must not run with it, because npm ci removes it.
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== join(root, "node_modules/.bin"));
  const env = { ...process.env, PATH: folders.join(delimiter) };
  const child = spawn("npm", ["ci", "--loglevel=error"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  // If this process is killed, npm continues, and the next command waits for npm's process id. The id is appended, so
  // that the lock is never empty.
  appendFileSync(lock, ` ${child.pid}`);
  const heartbeat = setInterval(() => utimesSync(lock, new Date(), new Date()), 1000);
  const stop = (signal) => child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const [code, signal] = await new Promise((done) => {
    child.on("error", (error) => done([error.message]));
    child.on("close", (...end) => done(end));
  });
  clearInterval(heartbeat);
  for (const each of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeListener(each, stop);
  if (code === 0) return;
  rmSync(lock, { force: true });
  if (signal) return process.kill(process.pid, signal);
  fail(`${output}npm ci failed (${code}). Fix the error above, then run the command again.`);
}

/**
 * Returns true if this process got the lock. Removes a lock whose processes have exited, or that was not touched for
 * a minute.
 */
function acquireLock() {
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
    // Read again: another waiting command may have taken the lock already.
    if ((abandoned || untouched) && readFileSync(lock, "utf8") === owners) rmSync(lock);
  } catch {
    // The lock was released at this moment: the next try gets it.
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
