import { chmod, copyFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Builds @pressbell/bridge into bridge/dist, for `npm pack ./bridge`: one file for Node.js 20, with the client in it.
 */

const dist = new URL("dist/", import.meta.url);
const file = fileURLToPath(new URL("main.js", dist));

await rm(dist, { recursive: true, force: true });
await build({
  entryPoints: [fileURLToPath(new URL("main.ts", import.meta.url))],
  outfile: file,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  banner: { js: "#!/usr/bin/env node" },
  legalComments: "none",
});
await chmod(file, 0o755);
await copyFile(new URL("../LICENSE", import.meta.url), new URL("LICENSE", dist));
process.stdout.write("The bridge is in bridge/dist. Pack it: npm pack ./bridge\n");
