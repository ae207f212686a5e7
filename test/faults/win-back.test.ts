import { sql } from "kysely";
import { expect, test } from "vitest";
import { removeLost } from "../../src/automations/win-back/remove-lost.ts";
import { row } from "../../src/db/pool.ts";
import { winBackRuns, winBackWith } from "../campaigns/win-back-fixture.ts";
import { eventually } from "../fixtures/eventually.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSubscribers, passDays } from "../fixtures/rows/subscribers.ts";
import { startDatabaseProxy } from "./database-proxy.ts";
import { endLeasesOf } from "./fixture.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();
const recipients = 200;

test.each([
  { what: "starts the run", moment: "before commit" as const, statement: /insert into runs/, runs: 0 },
  { what: "starts the run", moment: "after commit" as const, statement: /insert into runs/, runs: 1 },
  { what: "notes who accepted", moment: "before commit" as const, statement: /insert into lost_subscribers/, runs: 1 },
  { what: "notes who accepted", moment: "after commit" as const, statement: /insert into lost_subscribers/, runs: 1 },
])("a process killed as it $what of a win-back, $moment: each reader gets it once", async (killed) => {
  const proxy = await startDatabaseProxy(postgres);
  await withFixture({ postgres, recipients }, async (fixture) => {
    const { app, publisher } = fixture;
    const { siteId } = publisher;
    await changeSubscribers(app, { siteId }, { createdAt: ago("90 days") });
    await winBackWith(app, publisher, { afterwards: "remove" });
    await fixture.start("api");
    const reached = proxy.reached(killed.moment, killed.statement);
    const victim = await fixture.start("worker", { proxy });
    await reached;
    await victim.kill();
    await endLeasesOf(fixture, victim);
    expect(await winBackRuns(app, siteId)).toHaveLength(killed.runs);
    await fixture.start("worker");
    const [run, ...others] = await eventually(async () => {
      const found = await winBackRuns(app, siteId);
      return found.length > 0 && found;
    });
    expect(others).toEqual([]);
    expect(await fixture.ended(run!.runId)).toBe("completed");
    expect((await fixture.evidence()).receipts).toHaveLength(recipients);
    expect(await fixture.violations()).toEqual([]);
  });
});
