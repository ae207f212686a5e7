import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // They need browsers: npm run test:browsers.
    exclude: ["test/browsers/**"],
    globalSetup: ["test/worlds/postgres.ts"],
    setupFiles: ["test/worlds/cleanup.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Two cores: each file starts its own database, push service or process.
    maxWorkers: 2,
  },
});
