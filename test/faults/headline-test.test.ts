import { sql } from "kysely";
import { expect, test } from "vitest";
import { row } from "../../src/db/pool.ts";
import { eventually } from "../fixtures/eventually.ts";
import { turnTestClock } from "../fixtures/rows/runs.ts";
import { startDatabaseProxy } from "./database-proxy.ts";
import { endLeasesOf, type FaultFixture } from "./fixture.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const recipients = 600;

const postgres = sharedPostgres();

test.each([
  { moment: "before commit" as const, outcome: null, sent: "Ferry is back" },
  { moment: "after commit" as const, outcome: "no_difference", sent: "Bridge opens" },
])(
  "a process killed as it ends a headline test, $moment: each reader gets one headline",
  async ({ moment, outcome, sent }) => {
    const proxy = await startDatabaseProxy(postgres);
    await withFixture({ postgres, recipients, keepsBodies: true }, async (fixture) => {
      await fixture.start("api");
      const victim = await fixture.start("worker", { proxy });
      const { runId } = await fixture.send(undefined, { variants: [{ title: "Ferry is back" }], testShare: 60 });
      const taking = await whenTestSent(fixture, runId);
      await click(fixture, runId, "Bridge opens", 4);
      const reached = proxy.reached(moment, /update headline_tests set ended_at/);
      await turnTestClock(fixture.app, runId, 30);
      await reached;
      await victim.kill();
      await endLeasesOf(fixture, victim);
      expect(await endOf(fixture, runId)).toEqual({ outcome });

      // The other headline is ahead now. What was committed stays, and the rest is decided again.
      await click(fixture, runId, "Ferry is back", 10);
      await fixture.start("worker");
      expect(await fixture.ended(runId)).toBe("completed");
      const titles = await titlesOf(fixture);
      expect(titles.size).toBe(recipients);
      expect([...titles.values()].filter((all) => all.size > 1)).toEqual([]);
      const rest = [...titles].filter(([endpoint]) => !taking.has(endpoint));
      expect(new Set(rest.flatMap(([, all]) => [...all]))).toEqual(new Set([sent]));
      expect(await fixture.violations()).toEqual([]);
    });
  },
);

type Nudge = { title: string; data: { token: string } };

async function nudgesOf({ push }: FaultFixture): Promise<{ endpoint: string; nudge: Nudge }[]> {
  const kept = await push.sample(10 * recipients);
  return kept.map(({ endpoint, payload }) => ({
    endpoint,
    nudge: (payload as { notification: Nudge }).notification,
  }));
}

/** Returns the headlines that each reader has got, by endpoint. */
async function titlesOf(fixture: FaultFixture): Promise<Map<string, Set<string>>> {
  const byReader = Map.groupBy(await nudgesOf(fixture), ({ endpoint }) => endpoint);
  return new Map([...byReader].map(([endpoint, all]) => [endpoint, new Set(all.map(({ nudge }) => nudge.title))]));
}

/** Resolves once all readers who take part in the test have their notification. Returns their endpoints. */
async function whenTestSent(fixture: FaultFixture, runId: string): Promise<Set<string>> {
  await eventually(async () => {
    const { body } = await fixture.call("GET", `/v1/runs/${runId}`);
    const { variants } = body.headlineTest as { variants: { recipients: number }[] };
    const taking = variants.reduce((sum, variant) => sum + variant.recipients, 0);
    return taking > 0 && body.accepted === taking;
  });
  return new Set((await nudgesOf(fixture)).map(({ endpoint }) => endpoint));
}

/** Makes `count` readers click this headline. Resolves once the run counts the clicks. */
async function click(fixture: FaultFixture, runId: string, title: string, count: number): Promise<void> {
  const clicked = async () => Number((await fixture.call("GET", `/v1/runs/${runId}`)).body.clicked);
  const before = await clicked();
  const tokens = (await nudgesOf(fixture)).filter(({ nudge }) => nudge.title === title).map(({ nudge }) => nudge.data);
  const api = fixture.processes.find(({ url }) => url !== "")!;
  const answer = await fetch(`${api.url}/sdk/events`, {
    method: "POST",
    headers: { origin: "https://news.example", "content-type": "application/json" },
    body: JSON.stringify({ events: tokens.slice(0, count).map(({ token }) => ({ token, kind: "clicked" })) }),
  });
  expect(answer.status).toBe(204);
  await eventually(async () => (await clicked()) === before + count);
}

function endOf({ app }: FaultFixture, runId: string): Promise<{ outcome: string | null } | undefined> {
  return row(sql<{ outcome: string | null }>`select outcome from headline_tests where run_id = ${runId}`, app.db);
}
