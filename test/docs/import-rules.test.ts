import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const biome = join(root, "node_modules/@biomejs/biome/bin/biome");

/** Who may import whom: the lint rules of biome.json, as CONTRIBUTING.md draws them. */
const ground = ["db", "egress"];
const services = [...ground, "audit", "mail", "rate-limits"];
const people = [...services, "tenants", "access", "subscribers"];
const mayImport: Record<string, string[]> = {
  db: [],
  egress: [],
  audit: ground,
  mail: ground,
  "rate-limits": ground,
  tenants: services,
  access: [...services, "tenants"],
  subscribers: [...services, "tenants"],
  runs: people,
  delivery: [...people, "runs"],
  decision: [...people, "runs"],
  campaigns: [...people, "runs", "decision"],
  feeds: [...people, "runs", "decision", "campaigns"],
  receipts: [...people, "runs"],
  "dashboard-api": [...people, "runs", "decision", "campaigns", "receipts"],
  http: [...people, "runs", "delivery", "decision", "campaigns", "feeds", "receipts", "dashboard-api"],
  cli: [...people, "runs", "delivery", "decision", "campaigns", "feeds", "receipts", "dashboard-api", "http"],
};
const folders = Object.keys(mayImport);
/** The rooms of a folder: what a folder may import, its rooms may, one level deeper. */
const rooms = folders.flatMap((folder) =>
  readdirSync(join(root, "src", folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ folder, room: `${folder}/${name}` })),
);

/** The imports of a file that the rules refuse, by file and in their order there. */
type Refusals = Map<string, string[]>;

/** A tree of files that import what `imports` says, linted by the project's own rules in one go. */
async function lint(imports: Record<string, string[]>): Promise<Refusals> {
  const tree = mkdtempSync(join(tmpdir(), "pressbell-imports-"));
  for (const name of ["biome.json", ".gitignore"]) cpSync(join(root, name), join(tree, name));
  for (const [file, sources] of Object.entries(imports)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), sources.map((source) => `import "${source}";\n`).join(""));
  }
  const args = [biome, "lint", "--reporter=json", "--max-diagnostics=none", tree];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: tree, maxBuffer: 1e8 }, (_error, stdout) => resolve(stdout));
  });
  rmSync(tree, { recursive: true });
  return readRefusals(output, imports);
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
const outside = ["../../test/fixtures/app.ts", "../../demo/demo.ts", "../main.ts", "../open-app.ts"];
const atRoot = ["../errors.ts", "../config.ts", "../app.ts", "../actor.ts", "../route.ts", "../ids.ts", "../log.ts"];
const ofSdkRefused = ["../../src/errors.ts", "../worker/nudge.ts", "../../test/fixtures/app.ts", "node:fs", "uuid"];

/** A file for each folder and room that tries to import everything. */
function probes(): Record<string, string[]> {
  const imports: Record<string, string[]> = {};
  for (const folder of folders) {
    const others = folders.filter((other) => other !== folder).map((other) => `../${other}/anything.ts`);
    imports[`src/${folder}/probe.ts`] = [...others, ...foreign, ...outside, ...atRoot, "./sibling.ts"];
  }
  imports["sdk/page/probe.ts"] = ["./sibling.ts", "../wire.ts", ...ofSdkRefused];
  for (const { folder, room } of rooms) {
    const others = folders.filter((other) => other !== folder).map((other) => `../../${other}/anything.ts`);
    const own = ["./sibling.ts", "../parent.ts", "../other-room/anything.ts", "../../errors.ts"];
    imports[`src/${room}/probe.ts`] = [...others, ...own, "../../../test/fixtures/app.ts", "../../main.ts"];
  }
  const ofRoot = folders.map((folder) => `./${folder}/anything.ts`);
  for (const file of ["probe", "main", "open-app"]) imports[`src/${file}.ts`] = [...ofRoot, "../test/fixtures/app.ts"];
  return imports;
}

describe("imports run one way", () => {
  let refusals: Refusals;

  beforeAll(async () => {
    refusals = await lint(probes());
  });

  test.each(folders)("src/%s takes from the folders before it, and is refused every other", (folder) => {
    const allowed = new Set([folder, ...mayImport[folder]!]);
    const refused = folders.filter((other) => !allowed.has(other)).map((other) => `../${other}/anything.ts`);
    const seen = refusals.get(`src/${folder}/probe.ts`)!.filter((source) => source.endsWith("/anything.ts"));
    expect(seen.toSorted()).toEqual(refused.toSorted());
  });

  test.each(folders)(
    "src/%s takes nothing from test/, demo/ and main.ts, and what lies at the root is free",
    (folder) => {
      const seen = refusals.get(`src/${folder}/probe.ts`)!;
      expect(seen).toEqual(expect.arrayContaining(outside));
      expect(seen.filter((source) => atRoot.includes(source) || source === "./sibling.ts")).toEqual([]);
    },
  );

  test("only http/ knows Fastify", () => {
    const knows = folders.filter((folder) => !refusals.get(`src/${folder}/probe.ts`)!.includes("fastify"));
    expect(knows).toEqual(["http"]);
  });

  test("only egress/ has the means to connect outwards; db/ has a socket and http/ serves", () => {
    const mayConnect = folders.filter((folder) => !refusals.get(`src/${folder}/probe.ts`)!.includes("undici"));
    expect(mayConnect).toEqual(["db", "egress", "http"]);
  });

  test("sdk/ takes nothing from the service, and no package: what readers load is all its own", () => {
    expect(refusals.get("sdk/page/probe.ts")).toEqual(ofSdkRefused);
  });

  test.each(rooms)("src/$room takes what $folder/ may take, and its other rooms", ({ folder, room }) => {
    const allowed = new Set([folder, ...mayImport[folder]!]);
    const refused = folders.filter((other) => !allowed.has(other)).map((other) => `../../${other}/anything.ts`);
    expect(refusals.get(`src/${room}/probe.ts`)!.toSorted()).toEqual(
      [...refused, "../../../test/fixtures/app.ts", "../../main.ts"].toSorted(),
    );
  });

  test("files at the root of src/ know db/ and egress/ alone; main.ts and open-app.ts put everything together", () => {
    const above = folders.filter((folder) => !ground.includes(folder)).map((folder) => `./${folder}/anything.ts`);
    expect(refusals.get("src/probe.ts")).toEqual([...above, "../test/fixtures/app.ts"]);
    for (const file of ["main", "open-app"])
      expect(refusals.get(`src/${file}.ts`)).toEqual(["../test/fixtures/app.ts"]);
  });

  test("each folder of src/ has its rule", () => {
    const present = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders).toEqual(expect.arrayContaining(present.map(({ name }) => name)));
  });
});
