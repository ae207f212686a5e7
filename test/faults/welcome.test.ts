import { expect, test } from "vitest";
import { step, welcomeRuns, welcomeWith } from "../campaigns/welcome-fixture.ts";
import { eventually } from "../fixtures/eventually.ts";
import { insertWelcomes } from "../fixtures/rows/subscribers.ts";
import { startDatabaseProxy } from "./database-proxy.ts";
import { endLeasesOf } from "./fixture.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();

test.each([
  { moment: "before commit" as const, runs: 0 },
  { moment: "after commit" as const, runs: 1 },
])("a process killed as it starts a step of a welcome, $moment: each reader gets it once", async ({ moment, runs }) => {
  const proxy = await startDatabaseProxy(postgres);
  await withFixture({ postgres, recipients: 200 }, async (fixture) => {
    const { app, publisher } = fixture;
    await fixture.start("api");
    const victim = await fixture.start("worker", { proxy });
    const reached = proxy.reached(moment, /insert into runs/);
    await welcomeWith(app, publisher, step(0), step(3));
    await insertWelcomes(app, publisher.siteId);
    await reached;
    await victim.kill();
    await endLeasesOf(fixture, victim);
    expect(await welcomeRuns(app, publisher.siteId)).toHaveLength(runs);
    await fixture.start("worker");
    const [run, ...others] = await eventually(async () => {
      const found = await welcomeRuns(app, publisher.siteId);
      return found.length > 0 && found;
    });
    expect(others).toEqual([]);
    expect(await fixture.ended(run!.runId)).toBe("completed");
    expect((await fixture.evidence()).receipts).toHaveLength(200);
    expect(await fixture.violations()).toEqual([]);
  });
});
