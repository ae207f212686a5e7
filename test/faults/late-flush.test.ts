import { sql } from "kysely";
import { expect, test } from "vitest";
import { rows } from "../../src/db/pool.ts";
import { eventually } from "../fixtures/eventually.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { startDatabaseProxy } from "./database-proxy.ts";
import { endLeasesOf, type FaultFixture } from "./fixture.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();

test("a flush that comes after newer ones writes nothing, and a kill repeats nobody uncounted", async () => {
  const proxy = await startDatabaseProxy(postgres);
  await withFixture({ postgres, proxy, recipients: 1_000, answerDelayMs: 1_000 }, async (fixture) => {
    const [victim] = await Promise.all([fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(20);
    const release = await proxy.hold(/update run_batches b set flush_no/);
    const acceptedAtOnce = await acceptedOf(fixture, runId);
    const isNewer = async () => (await acceptedOf(fixture, runId)) > acceptedAtOnce + 40;
    await eventually(isNewer, scaleByLoad(20_000), "no later flush was written");
    await victim.freeze();
    const newer = await ledgerOf(fixture, runId);
    expect(newer.filter(({ state }) => state === "open")).not.toEqual([]);
    await release();
    expect(await ledgerOf(fixture, runId)).toEqual(newer);

    await victim.kill();
    await endLeasesOf(fixture, victim);
    await fixture.start("worker");
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
  });
});

test("a batch whose last flush is written again counts its refusals once", async () => {
  const proxy = await startDatabaseProxy(postgres);
  await withFixture({ postgres, proxy, recipients: 60 }, async (fixture) => {
    await Promise.all([fixture.start("worker"), fixture.start("api")]);
    // The push service accepts the key first. Otherwise its refusals would count as refusals of the key.
    expect(await fixture.ended((await fixture.send()).runId)).toBe("completed");
    await fixture.push.answerWith({ behaviour: "forbidden", match: { from: 0, to: 3 } });
    const committed = proxy.reached("after commit", /set refused_runs = least/);
    const { runId } = await fixture.send();
    await committed;
    proxy.cut();
    expect(await fixture.ended(runId)).toBe("completed");
    const refused = await rows(
      sql<{ n: number }>`select refused_runs as n from subscribers where refused_runs > 0`,
      fixture.app.db,
    );
    expect(refused.map(({ n }) => n)).toEqual([1, 1, 1]);
  });
});

async function acceptedOf(fixture: FaultFixture, runId: string): Promise<number> {
  return (await ledgerOf(fixture, runId)).reduce((sum, { accepted }) => sum + accepted, 0);
}

/** Returns the ledger's rows for the batches of a run, without the times of their leases. */
function ledgerOf({ app }: FaultFixture, runId: string) {
  return rows(
    sql<{ state: string; accepted: number }>`select no, state, owner, attempt, flush_no, codes, code_counts, pending,
        accepted, repeated, unanswered
      from run_batches where run_id = ${runId} order by no`,
    app.db,
  );
}
