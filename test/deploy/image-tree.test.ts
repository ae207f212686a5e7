import { execFile } from "node:child_process";
import { matchesGlob } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { readPage } from "../docs/pages.ts";

const root = new URL("../../", import.meta.url).pathname;
/** The files that the build of the npm package runs or bundles: package/build.ts, and the programs that it starts. */
const programs = [
  "bootstrap.mjs",
  "package/build.ts",
  "dashboard/build.ts",
  "dashboard/vite.config.ts",
  "mcp/build.ts",
];
const bundled = [
  "dashboard/src/main.tsx",
  "dashboard/src/words/*.json",
  "mcp/main.ts",
  "src/main.ts",
  "sdk/{page,worker,prompt,preferences}/main.ts",
];

async function listTracked(): Promise<string[]> {
  const { stdout } = await promisify(execFile)("git", ["ls-files"], { cwd: root });
  return stdout.trim().split("\n");
}

/** Returns the files of the repository that the entry points import, directly or not. */
async function listImported(entryPoints: string[]): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: "none",
    write: false,
    metafile: true,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "silent",
    external: ["*.woff2"],
  });
  return Object.keys(metafile.inputs);
}

/** Returns the tracked files that a string in package/build.ts names, itself or by one of their folders. */
async function listNamed(tracked: string[]): Promise<string[]> {
  const strings = [...(await readPage("package/build.ts")).matchAll(/"([\w./-]+)"/g)].map(([, text]) => text!);
  return tracked.filter((path) => strings.some((name) => path === name || path.startsWith(`${name}/`)));
}

test(".dockerignore keeps all that the build of the package reads", async () => {
  const patterns = (await readPage(".dockerignore")).trim().split("\n");
  const isLeftOut = (path: string) =>
    path
      .split("/")
      .some((_, at, parts) => patterns.some((each) => matchesGlob(parts.slice(0, at + 1).join("/"), each)));
  expect(["bench/main.ts", "test/flow.test.ts", "mcp/node_modules/x/y.js"].filter(isLeftOut)).toHaveLength(3);
  const tracked = await listTracked();
  const entryPoints = [...programs, ...bundled].flatMap((pattern) =>
    tracked.filter((path) => matchesGlob(path, pattern)),
  );
  const read = [...new Set([...(await listImported(entryPoints)), ...(await listNamed(tracked))])];
  const some = ["client/client.ts", "launch/runtime.mjs", "native/encryptor.cc", "sdk/prompt/main.ts", "LICENSE"];
  expect(read).toEqual(expect.arrayContaining(some));
  expect(read.filter(isLeftOut)).toEqual([]);
});
