import { defineConfig } from "vitest/config";
import { hasPgbouncer } from "./test/faults/pgbouncer.ts";
import { keepFilesInMemory } from "./test/fixtures/files-in-memory.ts";
import { longestFirst } from "./test/fixtures/longest-first.ts";

keepFilesInMemory();

// In CI its tests run, and fail without it.
const isLeftOut = !hasPgbouncer && !process.env.CI;
if (isLeftOut) process.stderr.write("PgBouncer is missing and not tested. On Debian: apt-get install pgbouncer\n");

/** The files that take longest, by what they wait for. They come first, so that none of them is alone at the end. */
const longest = [
  "faults/workers-halt.",
  "faults/push-services-fail.",
  "faults/embedded.",
  "faults/failover.",
  "faults/feed-reaches-readers.",
  "faults/workers-die.",
];

/** The fault suite: real processes are killed, frozen and cut off. It takes minutes, so `npm test` does not run it. */
// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ["test/faults/**/*.test.ts"],
    exclude: isLeftOut ? ["test/faults/pgbouncer.test.ts"] : [],
    globalSetup: ["test/fixtures/postgres.ts", "test/fixtures/build-native-helper.ts"],
    setupFiles: ["test/fixtures/each-file.ts", "test/fixtures/patient-connects.ts"],
    // Ten times the usual duration: the machine may be busy, and a test that times out disturbs the next one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // For two cores: one of three files usually waits for leases, polls and time limits.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(longest) },
    // Of tests that mostly wait (test.concurrent).
    maxConcurrency: 2,
    // Shows lists of violations in full.
    chaiConfig: { truncateThreshold: 0 },
  },
});
