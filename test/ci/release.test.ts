import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";

// npm takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const root = new URL("../../", import.meta.url).pathname;
/** A checkout with the files that a release reads, and a built package of one file. */
let checkout: string;

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), "pressbell-release-"));
  for (const name of ["package.json", "package-lock.json", ".ci/dependencies.mjs"])
    await cp(join(root, name), join(checkout, name));
  await mkdir(join(checkout, "package/dist"), { recursive: true });
  await cp(join(root, "package.json"), join(checkout, "package/dist/package.json"));
  await cp(join(root, "package-lock.json"), join(checkout, "package/dist/npm-shrinkwrap.json"));
  await describeVersion("## 0.1.0 (2030-01-31)\n\n- Readers can be reached.\n\n## 0.0.9 (2029-12-31)\n\n- Older.\n");
  return () => rm(checkout, { recursive: true });
});

async function describeVersion(
  changelog: string,
  upgrade = "## 0.1.0 (2030-01-31)\n\nNothing to do.\n",
): Promise<void> {
  await writeFile(join(checkout, "CHANGELOG.md"), `# Changelog\n\n${changelog}`);
  await writeFile(join(checkout, "UPGRADE.md"), `# Upgrade notes\n\n${upgrade}`);
}

function release(...words: string[]): Promise<{ code: number; said: string }> {
  const env = { ...process.env, npm_config_registry: "http://127.0.0.1:9/", npm_config_fetch_retries: "0" };
  return new Promise((resolve) => {
    execFile("node", [join(root, ".ci/release.mjs"), ...words], { cwd: checkout, env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), said: out + err });
    });
  });
}

test("a release has the package, SBOM, checksums, and the notes of its version only", async () => {
  const folder = join(checkout, "release");
  expect(await release("v0.1.0", folder)).toMatchObject({ code: 0 });
  const files = ["pressbell-0.1.0.sbom.json", "pressbell-0.1.0.tgz"];
  expect((await readdir(folder)).toSorted()).toEqual(["SHA256SUMS", "notes.md", ...files]);
  for (const line of (await readFile(join(folder, "SHA256SUMS"), "utf8")).trimEnd().split("\n")) {
    const [sum, name] = line.split("  ");
    expect(files).toContain(name);
    expect(sum).toBe(
      createHash("sha256")
        .update(await readFile(join(folder, name!)))
        .digest("hex"),
    );
  }
  expect(await readFile(join(folder, "notes.md"), "utf8")).toBe("- Readers can be reached.\n");
});

test("what is not ready for a release is refused, and no file is written", async () => {
  const folder = join(checkout, "release");
  const refusal = async (tag: string) => {
    const { code, said } = await release(tag, folder);
    expect(code).toBe(1);
    expect(await readdir(checkout)).not.toContain("release");
    return said.trim();
  };
  expect(await refusal("v0.2.0")).toBe("The tag is v0.2.0, but package.json has the version 0.1.0.");
  await describeVersion("## 0.1.0 (unreleased)\n\n- Readers can be reached.\n");
  expect(await refusal("v0.1.0")).toBe('CHANGELOG.md: give "## 0.1.0 (unreleased)" the date of the release.');
  await describeVersion("## 0.0.9 (2029-12-31)\n");
  expect(await refusal("v0.1.0")).toBe('CHANGELOG.md has no section "## 0.1.0 (DATE)".');
  await describeVersion("## 0.1.0 (2030-01-31)\n\n- Readers can be reached.\n", "");
  expect(await refusal("v0.1.0")).toBe('UPGRADE.md has no section "## 0.1.0 (DATE)".');
  expect((await release("--rehearse")).said).toContain("Usage: ");
});
