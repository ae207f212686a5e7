import { defineConfig } from "vitest/config";

/** The suite of faults: real processes that are killed, frozen and cut off. It takes minutes, so `npm test` leaves it out. */
// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ["test/faults/**/*.test.ts"],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // Two cores: each file starts its own PostgreSQL, push service and processes.
    maxWorkers: 2,
    // A list of faults is read whole.
    chaiConfig: { truncateThreshold: 0 },
  },
});
