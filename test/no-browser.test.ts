import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs the browser tests with a PATH that has no programs. */
function testBrowsers(environment: Record<string, string>) {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.browsers.config.ts"];
  const env = { HOME: process.env.HOME, PATH: "/nowhere", ...environment } as NodeJS.ProcessEnv;
  return spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
}

const missing = /A browser is missing\. Nothing was tested\. .*apt-get install firefox-esr chromium /;

test("without a browser the browser tests say what to install and succeed", () => {
  expect(testBrowsers({})).toMatchObject({ status: 0, stderr: expect.stringMatching(missing), stdout: "" });
}, 60_000);

test("in CI a missing browser is a failure", () => {
  expect(testBrowsers({ CI: "1" })).toMatchObject({ status: 1, stderr: expect.stringMatching(missing), stdout: "" });
}, 60_000);
