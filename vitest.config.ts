import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Suites of their own: npm run test:faults, and npm run test:browsers, which needs browsers.
    exclude: ["test/faults/**", "test/browsers/**"],
    globalSetup: ["test/fixtures/postgres.ts", "test/fixtures/build-native-helper.ts"],
    setupFiles: ["test/fixtures/cleanup.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // What a file opens it closes (cleanup.ts), so a worker keeps its modules: half of the time would go into loading them anew.
    isolate: false,
    // For two cores: of three files one waits, for a process, a timer or its own database.
    maxWorkers: 3,
  },
});
