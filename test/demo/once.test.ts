import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPage } from "../docs/pages.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { spawnProcess } from "../fixtures/spawn-process.ts";

const main = new URL("../../demo/demo.ts", import.meta.url).pathname;

/** Returns the lines of the demo that README.md shows, with 20 readers in place of its 10,000. */
async function linesOfReadme(): Promise<string[]> {
  const [, shown] = (await readPage("README.md")).split("It prints, among other lines:\n\n```\n");
  return shown!
    .split("\n```")[0]!
    .split("\n")
    .map((line) => line.replaceAll(/10,?000/g, "20"));
}

test("demo --once sends, ends, and prints nothing that would need it to be up", async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "pressbell-demo-"));
  afterFile(() => rm(DATA_DIR, { recursive: true, force: true }));
  const demo = spawnProcess(["--once", "--subscribers", "20"], { DATA_DIR, PORT: "0" }, main);
  expect([await demo.ended, demo.output()]).toEqual([0, expect.stringContaining("Without --once it stays up")]);
  expect(demo.output()).toContain("audience 20 = accepted 20");
  for (const line of await linesOfReadme()) expect(demo.output()).toContain(line);
  expect(demo.output()).not.toMatch(/curl|signs you in|Be notified yourself|It stays up; Ctrl-C/);
}, 120_000);
