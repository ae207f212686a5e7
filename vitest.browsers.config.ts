import { defineConfig } from "vitest/config";
import { findBrowser } from "./test/worlds/browsers/executables.ts";

if (findBrowser("chromium") === undefined) {
  process.stderr.write("No browser is installed: nothing was tested. On Debian: apt-get install chromium\n");
  process.exit(process.env.CI ? 1 : 0);
}

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ["test/browsers/**/*.test.ts"],
    globalSetup: ["test/worlds/postgres.ts"],
    setupFiles: ["test/worlds/cleanup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores, and a browser takes more than one while it starts.
    maxWorkers: 2,
  },
});
