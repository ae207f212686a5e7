import { describe, expect, test } from "vitest";
import { findBrowser } from "../fixtures/browsers/executables.ts";
import { endRun, waysToEnd } from "../fixtures/killed-run/killed-run.ts";
import { hasWordPress } from "../fixtures/wordpress/wordpress.ts";

const programs = [
  ...(["firefox", "chromium"] as const).filter((browser) => findBrowser(browser) !== undefined),
  ...(hasWordPress() ? ["mariadbd", "php -S"] : []),
];

// The test finds processes in /proc. test/faults/killed-run.test.ts tests how the run itself ends.
describe.skipIf(process.platform !== "linux")("browsers and WordPress", () => {
  test.each(waysToEnd.slice(0, 1))("end with a test run that ends by %s", async (_, end) => {
    const lines = await endRun("test/browsers/never-ends.ts", end);
    for (const program of programs) expect(lines).toContainEqual(expect.stringContaining(program));
  });
});
