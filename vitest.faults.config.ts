import { defineConfig } from "vitest/config";
import { hasPgbouncer } from "./test/faults/pgbouncer.ts";

// In CI its tests run, and fail without it.
const isLeftOut = !hasPgbouncer && !process.env.CI;
if (isLeftOut) process.stderr.write("PgBouncer is missing and not tested. On Debian: apt-get install pgbouncer\n");

/** The suite of faults: real processes that are killed, frozen and cut off. It takes minutes, so `npm test` leaves it out. */
// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ["test/faults/**/*.test.ts"],
    exclude: isLeftOut ? ["test/faults/pgbouncer.test.ts"] : [],
    globalSetup: ["test/fixtures/postgres.ts", "test/fixtures/native-helper.ts"],
    setupFiles: ["test/fixtures/cleanup.ts"],
    // Ten times what they take: a machine may be busy with other things, and a test that was given up spoils the next.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // For two cores: of three files one waits, for leases to run out.
    maxWorkers: 3,
    maxConcurrency: 2,
    // A list of faults is read whole.
    chaiConfig: { truncateThreshold: 0 },
  },
});
