import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { ConfigError } from "../../src/errors.ts";
import { buildSdkScripts } from "../../src/http/sdk-scripts.ts";
import { afterFile } from "../fixtures/cleanup.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pressbell-sdk-"));
  afterFile(() => rm(folder, { recursive: true }));
  for (const part of [
    "page",
    "worker",
    "prompt",
    "migration",
    "test-device",
    "preferences",
    "facts",
    "outcomes",
    "elements",
  ])
    await mkdir(join(folder, part));
  await writeFile(join(folder, "prompt/main.ts"), "export const show = () => 1;\n");
  await writeFile(join(folder, "migration/main.ts"), "export const find = () => 4;\n");
  await writeFile(join(folder, "test-device/main.ts"), "export const ask = () => 5;\n");
  await writeFile(join(folder, "facts/main.ts"), "window.d = () => 8;\n");
  await writeFile(join(folder, "outcomes/main.ts"), "window.e = () => 9;\n");
  await writeFile(join(folder, "preferences/main.ts"), "alert(2);\n");
  await writeFile(join(folder, "elements/main.ts"), "alert(3);\n");
  await writeFile(
    join(folder, "page/main.ts"),
    'import { a } from "../a.ts";\nconst text: string = a;\nalert(text);\n',
  );
  await writeFile(join(folder, "a.ts"), 'export const a = "both in one";\n');
});

const build = () => buildSdkScripts(pathToFileURL(`${folder}/`));
const refusal = async () => (await build().catch((error: unknown) => error)) as Error;

test("a script that is missing or cannot be built throws one line that names it", async () => {
  const missing = await refusal();
  expect(missing).toBeInstanceOf(ConfigError);
  expect(missing.message).toMatch(/^The browser's script sdk\/worker\/main\.ts cannot be built: .+$/);
  await writeFile(join(folder, "worker/main.ts"), "const a = ;\n");
  const broken = await refusal();
  expect(broken.message).toMatch(/^The browser's script sdk\/worker\/main\.ts cannot be built: .+main\.ts:1\)\.$/);
});

test("each is one minified script without imports and globals, and the prompt a module", async () => {
  await writeFile(join(folder, "worker/main.ts"), "const worker = 1;\nself.close();\n");
  const { page, worker, prompt } = await build();
  expect(page).toContain("both in one");
  expect(page).not.toMatch(/import|const text|: string/);
  expect(page).toMatch(/^"use strict";\(\(\)=>\{|^\(\(\)=>\{/);
  expect(worker).toContain("self.close()");
  expect(prompt).toMatch(/^(var|const) .+export\{\w+ as show\};\n$/);
});
