import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { importOverrides, isImportRule, type Override, writeImportRules } from "./biome.ts";
import { folderRules, rootRule } from "./import-rules.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const biome = join(root, "node_modules/@biomejs/biome/bin/biome");

const folders = Object.keys(folderRules);
/** The subfolders. Each may import what its folder may import. */
const subfolders = folders.flatMap((folder) =>
  readdirSync(join(root, "src", folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ folder, subfolder: `${folder}/${name}` })),
);

/** The imports that the rules refuse, by file, in the order of the file. */
type Refusals = Map<string, string[]>;

/** Lints files with the project's rules. Returns biome's report as JSON. */
async function lintFiles(files: Record<string, string>): Promise<string> {
  const tree = mkdtempSync(join(tmpdir(), "pressbell-imports-"));
  for (const name of ["biome.json", ".gitignore"]) cpSync(join(root, name), join(tree, name));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }
  const args = [biome, "lint", "--reporter=json", "--max-diagnostics=none", tree];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: tree, maxBuffer: 1e8 }, (_error, stdout) => resolve(stdout));
  });
  rmSync(tree, { recursive: true });
  return output;
}

/** Lints files with these imports. */
async function lint(imports: Record<string, string[]>): Promise<Refusals> {
  const files = Object.entries(imports).map(([file, sources]) => [
    file,
    sources.map((source) => `import "${source}";\n`).join(""),
  ]);
  return readRefusals(await lintFiles(Object.fromEntries(files)), imports);
}

type Diagnostic = { category: string; location: { path: string; start: { line: number } } };

function readRefusals(output: string, imports: Record<string, string[]>): Refusals {
  const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
  const refused = new Map(Object.keys(imports).map((file) => [file, new Set<string>()]));
  for (const { category, location } of diagnostics) {
    if (category !== "lint/style/noRestrictedImports") continue;
    const file = Object.keys(imports).find((name) => location.path.endsWith(name))!;
    refused.get(file)!.add(imports[file]![location.start.line - 1]!);
  }
  return new Map([...refused].map(([file, sources]) => [file, imports[file]!.filter((source) => sources.has(source))]));
}

const foreign = ["fastify", "@fastify/cookie", "undici", "node:http", "node:http2", "node:net", "node:tls"];
const outside = ["../../test/fixtures/app.ts", "../../demo/demo.ts", "../main.ts", "../open-app.ts", "../run-words.ts"];
const atRoot = ["../errors.ts", "../config.ts", "../app.ts", "../actor.ts", "../route.ts", "../ids.ts", "../log.ts"];
const ofSdkRefused = ["../../src/errors.ts", "../worker/nudge.ts", "../../test/fixtures/app.ts", "node:fs", "uuid"];

const ofClientRefused = ["../src/errors.ts", "../sdk/page/api.ts", "../test/fixtures/app.ts", "node:crypto", "uuid"];

const ofBridgeRefused = ["../src/errors.ts", "../client/request.ts", "uuid"];
const ofMcpRefused = ["../src/errors.ts", "../client/request.ts", "fastify"];
const ofMcpAllowed = ["./sibling.ts", "../client/client.ts", "node:crypto", "zod", "@modelcontextprotocol/server"];
const ofBridgeAllowed = ["./sibling.ts", "../client/client.ts", "node:http", "node:fs/promises"];

/** Returns for each folder and subfolder a file that tries to import everything. */
function probes(): Record<string, string[]> {
  const imports: Record<string, string[]> = {};
  for (const folder of folders) {
    const others = folders.filter((other) => other !== folder).map((other) => `../${other}/anything.ts`);
    imports[`src/${folder}/probe.ts`] = [...others, ...foreign, ...outside, ...atRoot, "./sibling.ts"];
  }
  imports["sdk/page/probe.ts"] = ["./sibling.ts", "../wire.ts", ...ofSdkRefused];
  imports["bridge/probe.ts"] = [...ofBridgeAllowed, ...ofBridgeRefused];
  imports["mcp/probe.ts"] = [...ofMcpAllowed, ...ofMcpRefused];
  imports["client/probe.ts"] = ["./sibling.ts", ...ofClientRefused];
  for (const { folder, subfolder } of subfolders) {
    const others = folders.filter((other) => other !== folder).map((other) => `../../${other}/anything.ts`);
    const own = ["./sibling.ts", "../parent.ts", "../other-subfolder/anything.ts", "../../errors.ts"];
    imports[`src/${subfolder}/probe.ts`] = [...others, ...own, "../../../test/fixtures/app.ts", "../../main.ts"];
  }
  const ofRoot = folders.map((folder) => `./${folder}/anything.ts`);
  for (const file of ["probe", "main", "open-app", "run-words"])
    imports[`src/${file}.ts`] = [...ofRoot, "../test/fixtures/app.ts"];
  return imports;
}

describe("imports run one way", () => {
  let refusals: Refusals;

  beforeAll(async () => {
    refusals = await lint(probes());
  });

  test.each(folders)("src/%s may import the folders that its rule names, and no other", (folder) => {
    const allowed = new Set([folder, ...folderRules[folder]!.mayImport]);
    const refused = folders.filter((other) => !allowed.has(other)).map((other) => `../${other}/anything.ts`);
    const seen = refusals.get(`src/${folder}/probe.ts`)!.filter((source) => source.endsWith("/anything.ts"));
    expect(seen.toSorted()).toEqual(refused.toSorted());
  });

  test.each(folders)("src/%s may import the root of src/, but not test/, demo/, main.ts and open-app.ts", (folder) => {
    const seen = refusals.get(`src/${folder}/probe.ts`)!;
    expect(seen).toEqual(expect.arrayContaining(outside));
    expect(seen.filter((source) => atRoot.includes(source) || source === "./sibling.ts")).toEqual([]);
  });

  test("only http/ may import Fastify", () => {
    const importers = folders.filter((folder) => !refusals.get(`src/${folder}/probe.ts`)!.includes("fastify"));
    expect(importers).toEqual(["http"]);
  });

  test("only egress/ may import network modules, db/ for its socket, and http/ for its server", () => {
    const mayConnect = folders.filter((folder) => !refusals.get(`src/${folder}/probe.ts`)!.includes("undici"));
    expect(mayConnect).toEqual(["db", "egress", "http"]);
  });

  test("sdk/ may import neither the service nor packages, which readers would have to load", () => {
    expect(refusals.get("sdk/page/probe.ts")).toEqual(ofSdkRefused);
  });

  test("client/ may import neither the service nor packages, nor modules of Node.js", () => {
    expect(refusals.get("client/probe.ts")).toEqual(ofClientRefused);
  });

  test("bridge/ may import the client and Node.js, but neither the service nor packages", () => {
    expect(refusals.get("bridge/probe.ts")).toEqual(ofBridgeRefused);
  });

  test("mcp/ may import the client, the SDK and modules of Node.js, but not the service", () => {
    expect(refusals.get("mcp/probe.ts")).toEqual(ofMcpRefused);
  });

  test.each(subfolders)("src/$subfolder may import what $folder/ may, and its siblings", ({ folder, subfolder }) => {
    const allowed = new Set([folder, ...folderRules[folder]!.mayImport]);
    const refused = folders.filter((other) => !allowed.has(other)).map((other) => `../../${other}/anything.ts`);
    expect(refusals.get(`src/${subfolder}/probe.ts`)!.toSorted()).toEqual(
      [...refused, "../../../test/fixtures/app.ts", "../../main.ts"].toSorted(),
    );
  });

  test("files at the root of src/ import only db/ and egress/; main.ts and open-app.ts all", () => {
    const above = folders
      .filter((folder) => !rootRule.mayImport.includes(folder))
      .map((folder) => `./${folder}/anything.ts`);
    expect(refusals.get("src/probe.ts")).toEqual([...above, "../test/fixtures/app.ts"]);
    for (const file of ["main", "open-app", "run-words"])
      expect(refusals.get(`src/${file}.ts`)).toEqual(["../test/fixtures/app.ts"]);
  });
});

test("biome.json has the rules of the table: npm run format writes them", () => {
  const config = readFileSync(join(root, "biome.json"), "utf8");
  const { overrides } = JSON.parse(config) as { overrides: Override[] };
  expect(overrides.filter(isImportRule)).toEqual(importOverrides());
  expect(writeImportRules(config)).toBe(config);
});

test("lint refuses a circle of imports, also of types", async () => {
  const circle = {
    "src/one.ts": 'import type { Two } from "./two.ts";\nexport type One = Two;\n',
    "src/two.ts": 'import type { One } from "./one.ts";\nexport type Two = One;\n',
  };
  expect(await lintFiles(circle)).toContain("lint/suspicious/noImportCycles");
});

test("each folder of src/ has a rule", () => {
  const present = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.toSorted()).toEqual(present.map(({ name }) => name).toSorted());
});
