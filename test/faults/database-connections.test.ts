import { sql } from "kysely";
import { expect, test } from "vitest";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { startDatabaseProxy } from "./database-proxy.ts";
import { type Call, now } from "./history.ts";
import { sharedPostgres, withFixture } from "./suite.ts";
import { watchRun } from "./watch-run.ts";

const postgres = sharedPostgres();

test("a database that closes every connection causes no loss and no repeats", async () => {
  const proxy = await startDatabaseProxy(postgres);
  await withFixture({ postgres, proxy, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("api"), fixture.start("worker"), fixture.start("worker")]);
    const { runId } = await fixture.send();
    const watch = watchRun(fixture, runId);
    for (const received of [500, 1_000, 1_500, 2_000]) {
      await fixture.push.received(received);
      fixture.history.record({ kind: "database", event: "cut" });
      if (received % 1_000 === 500) proxy.cut();
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(fixture.app.db);
    }
    expect(await fixture.ended(runId)).toBe("completed");
    await watch.stop();
    expect(await fixture.violations()).toEqual([]);
    expect((await fixture.push.stats()).repeated).toBe(0);
  });
});

// Both tests wait for limits of the database client, so they run concurrently.
test.concurrent("a database that hangs: nothing is posted a second later, calls are answered in 25 s", async () => {
  const proxy = await startDatabaseProxy(postgres);
  await withFixture({ postgres, proxy, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("api"), fixture.start("worker")]);
    const { runId } = await fixture.send();
    await fixture.push.received(1_000);
    const calls: Promise<Call>[] = [];
    await fixture.withoutDatabase(async () => {
      proxy.hang();
      for (let i = 0; i < 20; i++) calls.push(fixture.call("GET", `/v1/runs/${runId}`));
      await Promise.all(calls);
      proxy.resume();
    });
    for (const { status, at, endedAt } of await Promise.all(calls)) {
      expect(status).toBe(503);
      expect(endedAt - at).toBeLessThan(scaleByLoad(25_000));
    }
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
  });
});

test.concurrent("a silent failover: dead connections fail after 15 s, then all use new ones", async () => {
  const proxy = await startDatabaseProxy(postgres);
  await withFixture({ postgres, proxy, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("api"), fixture.start("worker")]);
    const { runId } = await fixture.send();
    await fixture.push.received(1_000);
    // Opens a connection of the API, which then dies.
    await fixture.call("GET", `/v1/runs/${runId}`);
    const deadAt = now();
    await fixture.withoutDatabase(async () => {
      proxy.abandon();
      expect((await fixture.call("GET", `/v1/runs/${runId}`)).status).toBe(503);
      expect((await fixture.call("GET", `/v1/runs/${runId}`)).status).toBe(200);
      expect(now() - deadAt).toBeLessThan(scaleByLoad(17_000));
    });
    // This is far more than was in flight when the connections died.
    await fixture.push.received(4_000);
    expect(now() - deadAt).toBeLessThan(scaleByLoad(25_000));
  });
});

test("a lock on runs or API keys: calls get 503 within three seconds, the process is healthy", () =>
  withFixture({ postgres, recipients: 10 }, async (fixture) => {
    const api = await fixture.start("api");
    const campaignId = await fixture.create();
    const { runId } = await fixture.send();
    const again = await fixture.create();
    await fixture.app.db.transaction().execute(async (tx) => {
      await sql`lock table runs in access exclusive mode`.execute(tx);
      await fixture.withoutDatabase(async () => {
        for (let round = 0; round < 2; round++) {
          const calls = await Promise.all([
            ...Array.from({ length: 15 }, () => fixture.call("GET", `/v1/runs/${runId}`)),
            ...Array.from({ length: 15 }, () => fixture.call("POST", `/v1/campaigns/${again}/send`)),
            fixture.call("POST", `/v1/runs/${runId}/stop`),
            fixture.call("GET", `/v1/campaigns/${campaignId}`),
          ]);
          const slowestMs = Math.max(...calls.map(({ at, endedAt }) => endedAt - at));
          expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 503));
          // The limit is three seconds of waiting, plus the work of 32 concurrent calls.
          expect(slowestMs).toBeLessThan(scaleByLoad(5_000));
        }
      });
      expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    });
    expect((await fixture.call("POST", `/v1/campaigns/${again}/send`)).status).toBe(202);

    // Each call reads its API key outside of the tenant's transaction, because the tenant is not known before.
    await fixture.app.db.transaction().execute(async (tx) => {
      await sql`lock table api_keys in access exclusive mode`.execute(tx);
      await fixture.withoutDatabase(async () => {
        const calls = await Promise.all(Array.from({ length: 15 }, () => fixture.call("GET", `/v1/runs/${runId}`)));
        expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 503));
        expect(Math.max(...calls.map(({ at, endedAt }) => endedAt - at))).toBeLessThan(scaleByLoad(4_000));
      });
    });
  }));
