import { sql } from "kysely";
import { expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { row } from "../../src/db/pool.ts";
import { openCampaignFixture } from "../campaigns/fixture.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";

/** Returns the run's state as every other connection sees it, and how often its stop is in the audit log. */
async function storedOf(app: App, runId: string): Promise<{ status: string; stops: number }> {
  const stored = await row(
    sql<{ status: string; stops: number }>`select status,
        (select count(*) from audit_events where subject_id = runs.id and event = 'run.stopped') as stops
      from runs where id = ${runId}`,
    app.db,
  );
  return stored!;
}

test("a stop takes effect before the run is counted, and stands where it cannot be", async () => {
  const { app, api, publisher, campaignThatIs } = await openCampaignFixture();
  const { runId } = await campaignThatIs("sending");
  const stop = () => api.call("POST", `/v1/runs/${runId}/stop`, { key: publisher.apiKey });
  await holdOpen(app, async (tx) => {
    // Only the counts for the answer are read from this table.
    await sql`lock table receipt_hours in access exclusive mode`.execute(tx);
    const asked = stop();
    await eventually(async () => (await storedOf(app, runId!)).status === "stopping");
    expect(await asked).toMatchObject({ status: 503, body: { code: "unavailable" } });
  });
  expect(await storedOf(app, runId!)).toEqual({ status: "stopping", stops: 1 });
  expect(await stop()).toMatchObject({ status: 200, body: { runId, status: "stopping" } });
  expect(await storedOf(app, runId!)).toEqual({ status: "stopping", stops: 1 });
});
