import { defineConfig } from "vitest/config";
import { installedBrowsers, missingPackages } from "./test/fixtures/browsers/installed-browsers.ts";
import { keepFilesInMemory } from "./test/fixtures/files-in-memory.ts";
import { longestFirst } from "./test/fixtures/longest-first.ts";

keepFilesInMemory();

const missing = missingPackages();
const canRun = missing.length === 0 || (!process.env.CI && installedBrowsers().length > 0);
if (missing.length > 0) {
  const rest = canRun ? "Only the others are tested." : "Nothing was tested.";
  process.stderr.write(`A browser is missing. ${rest} On Debian: apt-get install ${missing.join(" ")}\n`);
}
if (!canRun) process.exit(process.env.CI ? 1 : 0);

/** The files that take minutes begin first, so that the workers end together. */
const longest = ["browsers/readers/", "browsers/first-day."];

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ["test/browsers/**/*.test.ts"],
    globalSetup: [
      "test/fixtures/postgres.ts",
      "test/fixtures/build-native-helper.ts",
      "test/fixtures/browsers/build-dashboard.ts",
      "test/fixtures/browsers/chromium-server.ts",
    ],
    setupFiles: ["test/fixtures/each-file.ts", "test/fixtures/patient-connects.ts"],
    // Ten times the usual duration of a long test: the machine may be busy.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // As fixtures/eventually.ts, instead of one second.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // As in vitest.config.ts.
    isolate: false,
    // For two cores: one of three files usually waits for a poll, a timer or its database.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(longest) },
  },
});
