import { defineConfig } from "vitest/config";
import { longGlobs } from "./test/fixtures/long-tests.ts";
import quick from "./vitest.config.ts";

/** The long suite: what `npm test` leaves out, with the same fixtures and limits. */
// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({ test: { ...quick.test, include: longGlobs, exclude: [] } });
