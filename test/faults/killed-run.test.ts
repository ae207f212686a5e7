import { describe, expect, test } from "vitest";
import { hasNghttpd, hasNginx } from "../fixtures/installed-servers.ts";
import { endRun, waysToEnd } from "../fixtures/killed-run/killed-run.ts";
import { hasPgbouncer } from "./pgbouncer.ts";

const programs = [
  ...["vitest", "src/main.ts", "push-service/main.ts", "db/embedded/supervisor.ts", "db/embedded/hold.ts", "postgres"],
  ...(hasNginx ? ["nginx"] : []),
  ...(hasNghttpd ? ["nghttpd"] : []),
  ...(hasPgbouncer ? ["pgbouncer"] : []),
];

// The test finds processes in /proc.
describe.skipIf(process.platform !== "linux")("a test run that ends before its time leaves no process behind", () => {
  test.each(waysToEnd)("after %s", async (_, end) => {
    const lines = await endRun("test/faults/never-ends.ts", end);
    for (const program of programs) expect(lines).toContainEqual(expect.stringContaining(program));
  });
});
