import { chmod, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Builds @pressbell/mcp into mcp/dist, for `npm pack ./mcp`: one file for Node.js 20, with the client and the SDK in
 * it.
 */

const dist = new URL("dist/", import.meta.url);
const file = fileURLToPath(new URL("main.js", dist));

await rm(dist, { recursive: true, force: true });
await mkdir(dist);
const { metafile } = await build({
  metafile: true,
  entryPoints: [fileURLToPath(new URL("main.ts", import.meta.url))],
  outfile: file,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  banner: { js: "#!/usr/bin/env node" },
  legalComments: "eof",
});
const inputs = Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
const packages = [...new Set(inputs)].filter((name) => name !== undefined).toSorted();
const licences = await Promise.all(
  packages.map((name) => readFile(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), "utf8")),
);
// The licences of the bundled packages require their text beside the file.
const texts = packages.map((name, at) => `${name}\n\n${licences[at]}`);
await writeFile(new URL("THIRD-PARTY-LICENSES", dist), texts.join("\n\n"));
await chmod(file, 0o755);
await copyFile(new URL("../LICENSE", import.meta.url), new URL("LICENSE", dist));
process.stdout.write("The MCP server is in mcp/dist. Pack it: npm pack ./mcp\n");
