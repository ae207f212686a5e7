import { defineConfig } from "vitest/config";
import { wordsPlugin } from "./dashboard/words-plugin.ts";
import { keepFilesInMemory } from "./test/fixtures/files-in-memory.ts";
import { longGlobs } from "./test/fixtures/long-tests.ts";
import { longestFirst } from "./test/fixtures/longest-first.ts";

keepFilesInMemory();

/** The files that take the longest on an idle machine, by work or by a wait of the product, the longest first. */
const longest = [
  "bench/bench",
  "docs/api",
  "campaigns/local-time-delivery",
  "campaigns/headline-test",
  "properties/bodies",
  "forecast/forecast",
  "mail/emails",
  "tracing",
  "properties/requests",
  "ci/dependencies",
  "backup/refusals",
  "campaigns/delivery",
  "egress/lean-push-transport",
  "subscribers/import.",
  "egress/push-transport",
  "http/reader-rush",
  "db/statement-limits",
];

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  plugins: [wordsPlugin()],
  test: {
    include: ["test/**/*.test.ts"],
    // Separate suites: npm run test:long, test:faults, and test:browsers, which needs browsers.
    exclude: ["test/faults/**", "test/browsers/**", ...longGlobs],
    globalSetup: [
      "test/fixtures/postgres.ts",
      "test/fixtures/build-native-helper.ts",
      "test/fixtures/build-sdk-scripts.ts",
    ],
    setupFiles: ["test/fixtures/each-file.ts", "test/fixtures/patient-connects.ts"],
    // Ten times what the slowest take: the machine may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As fixtures/eventually.ts, instead of one second.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // Each file closes what it opens (each-file.ts), so workers can keep their modules. Loading them again would take
    // half of the time.
    isolate: false,
    // For two cores: two of four files usually wait for a process, a timer or its database.
    maxWorkers: 4,
    sequence: { sequencer: longestFirst(longest) },
    // Room for what lives shortly: a tenth less CPU than with the default of Node.js.
    execArgv: ["--max-semi-space-size=64"],
  },
});
