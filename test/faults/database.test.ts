import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";
import { withFixture } from "./suite.ts";
import { watchRun } from "./watch-run.ts";

/** Longer than the lease, so that every worker has lost its claims. */
const longerThanTheLeaseMs = 17_000;

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
});

test("a database crash during a run: workers wait, the API answers 503, nothing is lost", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("api"), fixture.start("worker"), fixture.start("worker")]);
    const { runId } = await fixture.send();
    const watch = watchRun(fixture, runId);
    for (const received of [1_000, 2_500]) {
      await fixture.push.received(received);
      await fixture.withoutDatabase(postgres.crashAndRestart);
    }
    expect(await fixture.ended(runId)).toBe("completed");
    await watch.stop();
    expect(await fixture.violations()).toEqual([]);
    expect((await fixture.push.stats()).repeated).toBe(0);
  }));

test("a database outage beyond the lease: nothing is posted meanwhile, then the run goes on", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("api"), fixture.start("worker")]);
    const { runId } = await fixture.send();
    const watch = watchRun(fixture, runId);
    await fixture.push.received(1_000);
    await fixture.withoutDatabase(async () => {
      await postgres.stop();
      await delay(longerThanTheLeaseMs);
      await postgres.start();
    });
    expect(await fixture.ended(runId)).toBe("completed");
    const calls = await watch.stop();
    expect(calls.some(({ status }) => status === 503)).toBe(true);
    expect(await fixture.violations()).toEqual([]);
  }));
