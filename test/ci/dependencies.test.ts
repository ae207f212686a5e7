import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { writeShrinkwrap } from "../../package/shrinkwrap.ts";
import { afterFile } from "../fixtures/cleanup.ts";

// npm takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const root = new URL("../../", import.meta.url).pathname;
let folder: string;

/** Creates a checkout with a built package, as far as the check reads it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pressbell-sbom-"));
  const dist = join(folder, "package/dist");
  await mkdir(dist, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) await cp(join(root, name), join(folder, name));
  const { devDependencies: _, ...manifest } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  await writeFile(join(dist, "package.json"), JSON.stringify(manifest));
  await writeShrinkwrap(dist);
  return () => rm(folder, { recursive: true });
});

/** Runs the check of .ci/run. The registry answers requests for an audit with `answerAudit`. */
async function check(answerAudit: RequestListener): Promise<{ code: number; out: string; err: string }> {
  const registry = createServer((request, response) => {
    request.resume();
    if (request.url === "/-/npm/v1/security/advisories/bulk") return answerAudit(request, response);
    response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  afterFile(() => registry.close());
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
    npm_config_cache: await mkdtemp(join(folder, "cache-")),
    npm_config_fetch_retries: "0",
  };
  return new Promise((resolve) => {
    const words = [join(root, ".ci/dependencies.mjs"), join(folder, "sbom.json")];
    execFile("node", words, { cwd: folder, env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err });
    });
  });
}

/** Answers with one advisory for a dependency that a development dependency also uses. */
const advisory =
  (severity: string): RequestListener =>
  (_request, response) => {
    const found = { id: 1, url: "https://advisories.example/1", title: "T", severity, vulnerable_versions: "*" };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ nodemailer: [found] }));
  };

test("an SBOM lists the dependencies with their versions, and nothing that only developers need", async () => {
  const { code, out } = await check((_request, response) => void response.end("{}"));
  expect([code, out]).toEqual([0, expect.stringContaining("0 critical, 0 high, 0 moderate, 0 low.")]);
  const sbom = JSON.parse(await readFile(join(folder, "sbom.json"), "utf8"));
  expect(sbom.bomFormat).toBe("CycloneDX");
  const listed = new Map(sbom.components.map(({ name, version }: Record<string, string>) => [name, version]));
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  for (const [name, version] of Object.entries(dependencies)) expect(listed.get(name), name).toBe(version);
  expect(listed.has("@biomejs/biome")).toBe(false);
  expect(sbom.metadata.component).toMatchObject({ type: "application", name: "pressbell" });
});

test.each([
  ["critical", 1],
  ["high", 1],
  ["moderate", 0],
])("a known %s vulnerability ends the check with %i", async (severity, code) => {
  const checked = await check(advisory(severity));
  expect([checked.code, checked.out]).toEqual([code, expect.stringContaining(`1 ${severity}`)]);
});

test.each([405, 404, 503])(
  "a registry that answers an audit with %i is reported, and fails nothing",
  async (status) => {
    const { code, out } = await check((_request, response) => void response.writeHead(status).end());
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Not audited, because the registry does not answer: .*\d/m),
    ]);
  },
);
