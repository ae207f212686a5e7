import { execFile } from "node:child_process";
import { copyFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Builds @pressbell/client into client/dist, for `npm pack ./client`: modules with their types. */

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = new URL("dist/", import.meta.url);

await rm(dist, { recursive: true, force: true });
await promisify(execFile)(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "client"], { cwd: root });
await copyFile(new URL("../LICENSE", import.meta.url), new URL("LICENSE", dist));
process.stdout.write("The client is in client/dist. Pack it: npm pack ./client\n");
