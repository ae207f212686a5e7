import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { rows } from "../../src/db/database.ts";
import { onThisMachine } from "../worlds/busy-machine.ts";
import { eventually } from "../worlds/eventually.ts";
import { startDatabaseProxy } from "./database-proxy.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";
import { inTrial, type Trial } from "./trial.ts";

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  return postgres.close;
});

test.each([
  { moment: "before commit" as const, runs: 0 },
  { moment: "after commit" as const, runs: 1 },
])("a scheduler killed at the due time, $moment of its send: the campaign goes out once", async ({ moment, runs }) => {
  const proxy = await startDatabaseProxy(postgres.socket);
  try {
    await inTrial({ postgres, recipients: 200 }, async (trial) => {
      await trial.start("api");
      const victim = await trial.start("worker", { proxy });
      const reached = proxy.reached(moment, /insert into runs/);
      const campaignId = await scheduled(trial, "1 second");
      await reached;
      await victim.kill();
      expect(await runsOf(trial, [campaignId])).toHaveLength(runs);
      await trial.start("worker");
      expect(await trial.ended(await runOf(trial, campaignId))).toBe("completed");
      expect(await trial.faults()).toEqual([]);
    });
  } finally {
    await proxy.close();
  }
});

test("eight schedulers and thirty campaigns that are due at the same moment: each goes out once", () =>
  inTrial({ postgres, recipients: 20, answerDelayMs: 10 }, async (trial) => {
    await trial.start("api");
    const campaigns = await Promise.all(Array.from({ length: 30 }, () => scheduled(trial, "1 hour")));
    await Promise.all(Array.from({ length: 8 }, () => trial.start("worker")));
    await sql`update campaigns set scheduled_at = now() + interval '1 second'`.execute(trial.app.db);
    const runs = await eventually(async () => {
      const found = await runsOf(trial, campaigns);
      return found.length >= 30 && found;
    }, onThisMachine(30_000));
    for (const runId of runs) expect(await trial.ended(runId)).toBe("completed");
    expect((await trial.evidence()).receipts).toHaveLength(30 * 20);
    expect(await trial.faults()).toEqual([]);
  }));

test("a schedule that was due while nobody was up goes out within the grace time, and fails as missed beyond it", () =>
  inTrial({ postgres, recipients: 50 }, async (trial) => {
    await trial.start("api");
    const [recent, old] = [await scheduled(trial, "-10 minutes"), await scheduled(trial, "-2 hours")];
    await trial.start("worker");
    expect(await trial.ended(await runOf(trial, recent))).toBe("completed");
    const seen = await eventually(async () => {
      const { body } = await trial.call("GET", `/v1/campaigns/${old}`);
      return body.status === "failed" && body;
    });
    expect(seen).toMatchObject({ runId: null, failure: { code: "missed" } });
    expect(await trial.faults()).toEqual([]);
  }));

/** A campaign that the API scheduled; then the clock is moved: it is due `dueIn` from now. */
async function scheduled(trial: Trial, dueIn: string): Promise<string> {
  const campaignId = await trial.create();
  const body = { scheduleAt: new Date(Date.now() + 3_600_000).toISOString() };
  expect((await trial.call("POST", `/v1/campaigns/${campaignId}/schedule`, { body })).status).toBe(200);
  await sql`update campaigns set scheduled_at = now() + ${dueIn}::interval where id = ${campaignId}`.execute(
    trial.app.db,
  );
  return campaignId;
}

async function runsOf(trial: Trial, campaigns: string[]): Promise<string[]> {
  const found = await rows(
    sql<{ id: string }>`select id from runs where campaign_id = any(${campaigns}::uuid[])`,
    trial.app.db,
  );
  return found.map(({ id }) => id);
}

function runOf(trial: Trial, campaignId: string): Promise<string> {
  return eventually(
    async () => (await runsOf(trial, [campaignId]))[0],
    onThisMachine(20_000),
    "the campaign did not go out",
  );
}
