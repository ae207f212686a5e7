import { sql } from "kysely";
import { expect, test } from "vitest";
import { rows } from "../../src/db/pool.ts";
import { eventually } from "../fixtures/eventually.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ahead } from "../fixtures/rows/change.ts";
import { startDatabaseProxy } from "./database-proxy.ts";
import { endLeasesOf, type FaultFixture } from "./fixture.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();

test.each([
  { moment: "before commit" as const, runs: 0 },
  { moment: "after commit" as const, runs: 1 },
])("a scheduler killed at the due time, $moment of its send: the campaign is sent once", async ({ moment, runs }) => {
  const proxy = await startDatabaseProxy(postgres);
  await withFixture({ postgres, recipients: 200 }, async (fixture) => {
    await fixture.start("api");
    const victim = await fixture.start("worker", { proxy });
    const reached = proxy.reached(moment, /insert into runs/);
    const campaignId = await scheduled(fixture, "1 second");
    await reached;
    await victim.kill();
    await endLeasesOf(fixture, victim);
    expect(await runsOf(fixture, [campaignId])).toHaveLength(runs);
    await fixture.start("worker");
    expect(await fixture.ended(await runOf(fixture, campaignId))).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
  });
});

test("eight schedulers send each of thirty campaigns that are due at the same time once", () =>
  withFixture({ postgres, recipients: 20, answerDelayMs: 10 }, async (fixture) => {
    await fixture.start("api");
    const campaigns = await Promise.all(Array.from({ length: 30 }, () => scheduled(fixture, "1 hour")));
    await Promise.all(Array.from({ length: 8 }, () => fixture.start("worker")));
    await changePlannedSends(fixture.app, { waitsFor: "time" }, { startsAt: ahead("1 second") });
    const runs = await eventually(async () => {
      const found = await runsOf(fixture, campaigns);
      return found.length >= 30 && found;
    }, scaleByLoad(30_000));
    for (const runId of runs) expect(await fixture.ended(runId)).toBe("completed");
    expect((await fixture.evidence()).receipts).toHaveLength(30 * 20);
    expect(await fixture.violations()).toEqual([]);
  }));

test("a campaign due while no process ran is sent in its grace time, and missed after it", () =>
  withFixture({ postgres, recipients: 50 }, async (fixture) => {
    await fixture.start("api");
    const [recent, old] = [await scheduled(fixture, "-10 minutes"), await scheduled(fixture, "-2 hours")];
    await fixture.start("worker");
    expect(await fixture.ended(await runOf(fixture, recent))).toBe("completed");
    const seen = await eventually(async () => {
      const { body } = await fixture.call("GET", `/v1/campaigns/${old}`);
      return body.status === "failed" && body;
    });
    expect(seen).toMatchObject({ runId: null, failure: { code: "missed" } });
    expect(await fixture.violations()).toEqual([]);
  }));

/** Schedules a campaign through the API, then changes its time so that it is due `dueIn` from now. */
async function scheduled(fixture: FaultFixture, dueIn: string): Promise<string> {
  const campaignId = await fixture.create();
  const body = { scheduleAt: new Date(Date.now() + 3_600_000).toISOString() };
  expect((await fixture.call("POST", `/v1/campaigns/${campaignId}/schedule`, { body })).status).toBe(200);
  await changePlannedSends(fixture.app, { campaignId: campaignId, waitsFor: "time" }, { startsAt: ahead(dueIn) });
  return campaignId;
}

async function runsOf(fixture: FaultFixture, campaigns: string[]): Promise<string[]> {
  const found = await rows(
    sql<{ id: string }>`select id from runs where campaign_id = any(${campaigns}::uuid[])`,
    fixture.app.db,
  );
  return found.map(({ id }) => id);
}

function runOf(fixture: FaultFixture, campaignId: string): Promise<string> {
  return eventually(
    async () => (await runsOf(fixture, [campaignId]))[0],
    scaleByLoad(20_000),
    "the campaign was not sent",
  );
}
