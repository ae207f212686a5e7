import { createHash } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

/** Builds the dashboard into dashboard/dist, unless the build there is from the same sources. */

const folder = import.meta.dirname;
const built = join(folder, "dist");
const stamp = "built-from.txt";
const compress = [
  { suffix: ".br", make: promisify(brotliCompress) },
  { suffix: ".gz", make: promisify(gzip) },
];

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sources = files.filter((file) => !file.slice(folder.length).startsWith("/dist"));
  for (const file of [...sources.toSorted(), join(folder, "../package-lock.json")]) {
    hash.update(`${file.slice(folder.length)}\0`).update(await readFile(file));
  }
  return hash.digest("hex");
}

async function isBuiltFrom(sources: string): Promise<boolean> {
  return (await readFile(join(built, stamp), "utf8").catch(() => "")) === sources;
}

/** Builds into another folder, and replaces `dist` at the end: a running service never serves a partial build. */
async function build(sources: string): Promise<void> {
  const startedMs = performance.now();
  // Overrides the environment: with another value, the build would contain React's development version.
  process.env.NODE_ENV = "production";
  const draft = join(folder, `dist-${process.pid}`);
  const { build: buildWithVite } = await import("vite");
  await buildWithVite({ configFile: join(folder, "vite.config.ts"), logLevel: "error", build: { outDir: draft } });
  await compressAssets(join(draft, "assets"));
  await writeFile(join(draft, stamp), sources);
  await rm(built, { recursive: true, force: true });
  // If another process was quicker, its build is kept.
  await rename(draft, built).catch(() => rm(draft, { recursive: true, force: true }));
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  process.stderr.write(`The dashboard was built in ${seconds} s.\n`);
}

async function compressAssets(assets: string): Promise<void> {
  for (const name of await readdir(assets)) {
    const bytes = await readFile(join(assets, name));
    for (const { suffix, make } of compress) await writeFile(join(assets, name + suffix), await make(bytes));
  }
}

async function hasVite(): Promise<boolean> {
  try {
    import.meta.resolve("vite");
    return true;
  } catch {
    return false;
  }
}

const sources = await hashSources();
if (!(await isBuiltFrom(sources))) {
  if (await hasVite()) await build(sources);
  else process.stderr.write("The dashboard is not built, and its tools are not installed. Run: npm ci\n");
}
