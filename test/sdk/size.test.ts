import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildSdkScripts } from "../../src/http/sdk-scripts.ts";

/**
 * The size limits in KB of 1,024 bytes, as docs/sdk.md states them. With brotli the scripts are smaller. The prompt's
 * script includes the code that watches when to ask, and how to install. As a separate script, that code would be a
 * fourth request before the prompt shows.
 */
const maxKilobytes = {
  page: 4.5,
  worker: 3.5,
  prompt: 4,
  migration: 0.5,
  "test-device": 1,
  preferences: 5,
  facts: 1,
  outcomes: 1.5,
  elements: 3.75,
};

test("each script has at most its documented size, compressed as the service sends it", async () => {
  const scripts = Object.entries(await buildSdkScripts());
  expect(scripts.map(([name]) => name).sort()).toEqual(Object.keys(maxKilobytes).sort());
  for (const [name, text] of scripts) {
    const { length } = gzipSync(text);
    const max = maxKilobytes[name as keyof typeof maxKilobytes] * 1_024;
    process.stdout.write(`sdk/${name}: ${length} bytes of ${max}\n`);
    expect(length).toBeGreaterThan(400);
    expect(length).toBeLessThanOrEqual(max);
  }
  const {
    page,
    worker,
    prompt,
    migration,
    preferences,
    facts,
    outcomes,
    elements,
    "test-device": testDevice,
  } = maxKilobytes;
  const said = [
    `the loader has at most ${page} KB, the service worker ${worker} KB,`,
    `the prompt ${prompt} KB, what migrates readers ${migration} KB, test devices ${testDevice} KB,`,
    `(readers.md#what-readers-choose) ${preferences} KB, what tells [facts](#facts) ${facts} KB, what counts [outcomes](#after-the-click) ${outcomes} KB, and the [elements](#elements) ${elements} KB.`,
  ];
  const docs = (await readFile(new URL("../../docs/sdk.md", import.meta.url), "utf8")).replaceAll("\n", " ");
  for (const words of said) expect(docs).toContain(words);
});
