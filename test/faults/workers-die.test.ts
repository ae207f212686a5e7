import { sql } from "kysely";
import { expect, test } from "vitest";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { eventually } from "../fixtures/eventually.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { endLeasesOf, type FaultFixture, holdersOf, whenSending } from "./fixture.ts";
import { now } from "./history.ts";
import type { ProcessUnderTest } from "./process-under-test.ts";
import { sharedPostgres, withFixture } from "./suite.ts";

const postgres = sharedPostgres();

// Most of these tests wait for leases to expire. Concurrently they take a third of the time.
test.concurrent("three killed workers: others claim within 20 s, and only uncertain messages repeat", () =>
  withFixture({ postgres, recipients: 6_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("api"), fixture.start("worker"), fixture.start("worker")]);
    const { runId } = await fixture.send();
    const takeovers: Promise<unknown>[] = [];
    for (const received of [500, 1_200, 1_900]) {
      await fixture.push.received(received);
      const victim = await eventually(() => sendingWorker(fixture, runId), scaleByLoad(20_000));
      // Checked while the new worker is still starting, because on a busy machine a start takes longer than the lease.
      const killed = victim.kill();
      takeovers.push(killed.then(() => whenTakenOver(fixture, runId, victim)));
      await Promise.all([killed, fixture.start("worker")]);
    }
    await Promise.all(takeovers);
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
  }));

test.concurrent("a killed worker of a site that skips uncertain messages repeats none: they are unknown", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    const { siteId, tenantId } = fixture.publisher;
    await changeSite(fixture.app, operatorOf(tenantId), { siteId, onUncertain: "skip" });
    const [victim] = await Promise.all([fixture.start("worker"), fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(800);
    await whenSending(fixture, victim);
    await victim.kill();
    expect(await holdersOf(fixture, runId)).toContain(victim.pid);
    await endLeasesOf(fixture, victim);
    expect(await fixture.ended(runId)).toBe("completed");
    const { recipients, sums } = (await fixture.evidence()).runs[0]!;
    const unknown = recipients
      .filter(({ code }) => code === finalCode.uncertain)
      .map(({ subscriberId }) => subscriberId);
    expect(unknown.length).toBeGreaterThan(0);
    expect(new Set(unknown)).toEqual(uncertainOf(fixture, victim));
    expect(sums).toMatchObject({ accepted: 5_000 - unknown.length, unknown: unknown.length, repeated: 0 });
    expect((await fixture.push.stats()).repeated).toBe(0);
    expect(await fixture.violations()).toEqual([]);
  }));

test.concurrent("workers that get a second SIGTERM or SIGINT end at once, and others claim within 20 s", () =>
  withFixture({ postgres, recipients: 8_000, answerDelayMs: 300 }, async (fixture) => {
    const starts = [fixture.start("worker"), fixture.start("worker"), fixture.start("worker"), fixture.start("api")];
    const [terminated, interrupted] = (await Promise.all(starts)) as [ProcessUnderTest, ProcessUnderTest];
    const { runId } = await fixture.send();
    await fixture.push.received(600);
    // Answers are so slow that neither can finish or release its batches between the two signals.
    await fixture.push.answerWith({ delayMs: 5_000 });
    // Waits until the answers to earlier messages have come.
    await sql`select pg_sleep(1)`.execute(fixture.app.db);
    await Promise.all([whenSending(fixture, terminated), whenSending(fixture, interrupted)]);
    const ends = [terminated.terminateTwice("SIGTERM"), interrupted.terminateTwice("SIGINT")];
    expect(await Promise.all(ends)).toEqual([1, 1]);
    await fixture.push.clearBehaviours();
    await Promise.all([whenTakenOver(fixture, runId, terminated), whenTakenOver(fixture, runId, interrupted)]);
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
  }));

test.concurrent("a worker killed before it saw a stop: the next one sees it first and sends nothing", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    const [victim] = await Promise.all([fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(600);
    await victim.freeze();
    const stopped = await fixture.call("POST", `/v1/runs/${runId}/stop`);
    expect(stopped).toMatchObject({ status: 200, body: { status: "stopping" } });
    await victim.kill();
    await endLeasesOf(fixture, victim);
    await fixture.start("worker");
    expect(await fixture.ended(runId)).toBe("stopped");
    const evidence = await fixture.evidence();
    expect(evidence.receipts.filter(({ at }) => at > stopped.endedAt + evidence.lagMs)).toEqual([]);
    expect(evidence.runs[0]!.sums.notSent).toBeGreaterThan(0);
    expect(await fixture.violations()).toEqual([]);
  }));

test.concurrent("a worker frozen until its run has ended posts nothing of it, and serves the next run", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    const starts = [fixture.start("worker"), fixture.start("worker"), fixture.start("api")];
    const [frozen, other] = (await Promise.all(starts)) as [ProcessUnderTest, ProcessUnderTest];
    const { runId } = await fixture.send();
    await fixture.push.received(800);
    await whenSending(fixture, frozen);
    await frozen.freeze();
    const frozenAt = now();
    await whenTakenOver(fixture, runId, frozen);
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await other.terminate()).toBe(0);
    const thawedAt = now();
    frozen.thaw();
    // Only the thawed worker can serve this run. It has dropped its old batches and claimed new ones.
    const next = await fixture.send(await fixture.addPublisher(500));
    expect(await fixture.ended(next.runId)).toBe("completed");
    expect(await frozen.terminate()).toBe(0);

    const { receipts, readers } = await fixture.evidence();
    const subscriberOf = new Map(readers.map(({ index, subscriberId }) => [index, subscriberId]));
    const readersOf = (isMeant: (at: number) => boolean) =>
      receipts.filter((r) => r.runId === runId && isMeant(r.at)).map(({ index }) => subscriberOf.get(index)!);
    const receivedBefore = new Set(readersOf((at) => at < frozenAt));
    // These bytes cannot be withdrawn: the worker wrote them before the freeze, and the kernel had not sent them yet.
    const isInItsSockets = (id: number) => uncertainOf(fixture, frozen).has(id) && !receivedBefore.has(id);
    expect(readersOf((at) => at > thawedAt).filter((id) => !isInItsSockets(id))).toEqual([]);
    expect(await fixture.violations()).toEqual([]);
  }));

/** Returns a worker that is alive and holds batches of the run. */
async function sendingWorker(fixture: FaultFixture, runId: string): Promise<ProcessUnderTest | undefined> {
  const holders = await holdersOf(fixture, runId);
  return fixture.processes.find(({ pid, isAlive }) => isAlive() && holders.includes(pid));
}

/** Resolves when other workers have claimed the batches that a worker held when it died. */
async function whenTakenOver(fixture: FaultFixture, runId: string, { name, pid }: ProcessUnderTest): Promise<void> {
  const isTakenOver = async () => !(await holdersOf(fixture, runId)).includes(pid);
  await eventually(isTakenOver, scaleByLoad(20_000), `the batches of ${name} were not taken over`);
}

/** Returns the subscribers that were uncertain in the batches of a worker when it died or was frozen. */
function uncertainOf({ history }: FaultFixture, { pid }: ProcessUnderTest): Set<number> {
  const snapshots = history.events.filter((event) => event.kind === "uncertain");
  return new Set(snapshots.filter((snapshot) => snapshot.pid === pid).flatMap(({ subscriberIds }) => subscriberIds));
}
