import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildSdkScripts, builtSdkFiles, endBuilder } from "../src/http/sdk-scripts.ts";
import { writeShrinkwrap } from "./shrinkwrap.ts";

/**
 * Builds the npm package into package/dist, for `npm pack ./package/dist`. Node.js runs no TypeScript in
 * node_modules, so src/ is compiled to JavaScript file by file. Relative paths (to migrations, threads and the
 * dashboard) stay as they are in the repository. The dashboard and the browser's scripts are already built, so the
 * package does not install their tools.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "package/dist");
/** Dependencies that are only needed to build the package. */
const buildOnly = ["esbuild", "@modelcontextprotocol/server"];
/** The modules that a program may import, as types and code: the error codes of the API. */
const exported = ["errors"];

type Manifest = {
  scripts: unknown;
  devDependencies: unknown;
  private: unknown;
  dependencies: Record<string, string>;
} & object;

async function run(program: string, args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, program), ...args], { cwd: root });
}

/** Compiles src/. TypeScript rewrites imports. The URLs of threads and programs are rewritten here. */
async function compile(): Promise<void> {
  await run("node_modules/typescript/bin/tsc", ["-p", "package"]);
  for (const name of await readdir(join(dist, "src"), { recursive: true })) {
    const file = join(dist, "src", name);
    if (name.endsWith(".d.ts") && !exported.includes(name.slice(0, -5))) await rm(file);
    if (!name.endsWith(".js")) continue;
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replaceAll(/(new URL\("\.[^"]*)\.ts("\s*,\s*import\.meta\.url\))/g, "$1.js$2"));
  }
}

async function copyAssets(): Promise<void> {
  await cp(join(root, "src/db/migrations"), join(dist, "src/db/migrations"), { recursive: true });
  await cp(join(root, "dashboard/dist"), join(dist, "dashboard/dist"), { recursive: true });
  await mkdir(join(dist, "native"));
  for (const name of (await readdir(join(root, "native"))).filter((each) => /\.(cc|h)$/.test(each)))
    await copyFile(join(root, "native", name), join(dist, "native", name));
  await mkdir(join(dist, "mcp"));
  for (const name of ["main.js", "THIRD-PARTY-LICENSES"])
    await copyFile(join(root, "mcp/dist", name), join(dist, "mcp", name));
  await cp(join(root, "package/bin"), join(dist, "bin"), { recursive: true });
  await cp(join(root, "launch"), join(dist, "bin/launch"), {
    recursive: true,
    filter: (name) => !name.endsWith("checkout.mjs"),
  });
  // Errors and help texts name pages of the documentation.
  await cp(join(root, "docs"), join(dist, "docs"), { recursive: true, filter: (name) => !name.endsWith("images") });
  for (const name of ["README.md", "LICENSE", "CHANGELOG.md", "UPGRADE.md"])
    await copyFile(join(root, name), join(dist, name));
}

async function writeSdkScripts(): Promise<void> {
  const scripts = await buildSdkScripts();
  await endBuilder();
  await mkdir(join(dist, "sdk"));
  for (const name of Object.keys(builtSdkFiles) as (keyof typeof builtSdkFiles)[])
    await writeFile(join(dist, "sdk", builtSdkFiles[name]), scripts[name]);
}

async function writeManifest(): Promise<void> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;
  const { scripts: _, devDependencies: __, private: ___, dependencies, ...rest } = manifest;
  const needed = Object.entries(dependencies).filter(([name]) => !buildOnly.includes(name));
  // npm publishes provenance only for the repository that the package names, which must be the one whose workflow
  // builds it.
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  const url = GITHUB_REPOSITORY === undefined ? undefined : `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
  const built = {
    ...rest,
    ...(url !== undefined && { repository: { type: "git", url } }),
    bin: { pressbell: "bin/pressbell" },
    exports: {
      ...Object.fromEntries(
        exported.map((name) => [`./${name}`, { types: `./src/${name}.d.ts`, default: `./src/${name}.js` }]),
      ),
      "./package.json": "./package.json",
    },
    files: [
      "bin",
      "src",
      "sdk",
      "mcp",
      "native",
      "dashboard",
      "docs",
      "CHANGELOG.md",
      "UPGRADE.md",
      "npm-shrinkwrap.json",
    ],
    dependencies: Object.fromEntries(needed),
  };
  await writeFile(join(dist, "package.json"), `${JSON.stringify(built, null, 2)}\n`);
}

await rm(dist, { recursive: true, force: true });
await run("dashboard/build.ts", []);
await run("mcp/build.ts", []);
await compile();
await copyAssets();
await writeSdkScripts();
await writeManifest();
await writeShrinkwrap(dist);
process.stdout.write("The package is in package/dist. Pack it: npm pack ./package/dist\n");
