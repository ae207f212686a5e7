import { beforeAll, expect, test } from "vitest";
import { unknownCode } from "../../src/runs/codes.ts";
import { changeSite } from "../../src/tenants/change-site.ts";
import { onThisMachine } from "../fixtures/busy-machine.ts";
import { eventually } from "../fixtures/eventually.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import type { ProcessUnderTest } from "./process-under-test.ts";
import { type FaultFixture, holdersOf, whenSending, withFixture } from "./fixture.ts";
import { now } from "./history.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  return postgres.close;
});

// All of them wait for leases to run out: side by side they take a third of the time.
test.concurrent("three workers that die by kill -9 amid a run: others hold their batches within 20 seconds, nobody is lost, and whoever is repeated was known to be uncertain", () =>
  withFixture({ postgres, recipients: 6_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("api"), fixture.start("worker"), fixture.start("worker")]);
    const { runId } = await fixture.send();
    const takeovers: Promise<unknown>[] = [];
    for (const received of [500, 1_200, 1_900]) {
      await fixture.push.received(received);
      const victim = await eventually(() => workerAtWork(fixture, runId), onThisMachine(20_000));
      await Promise.all([victim.kill(), fixture.start("worker")]);
      takeovers.push(whenTakenOver(fixture, runId, victim));
    }
    await Promise.all(takeovers);
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
  }));

test.concurrent("a worker that dies by kill -9 amid a run of a site that wants nobody repeated: nobody is, and exactly who was uncertain is counted as unknown", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    const { siteId, tenantId } = fixture.publisher;
    await changeSite(fixture.app, operatorOf(tenantId), { siteId, onUncertain: "skip" });
    const [victim] = await Promise.all([fixture.start("worker"), fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(800);
    await whenSending(fixture, victim);
    await victim.kill();
    await whenTakenOver(fixture, runId, victim);
    expect(await fixture.ended(runId)).toBe("completed");
    const { recipients, sums } = (await fixture.evidence()).runs[0]!;
    const unknown = recipients.filter(({ code }) => code === unknownCode).map(({ subscriberId }) => subscriberId);
    expect(unknown.length).toBeGreaterThan(0);
    expect(new Set(unknown)).toEqual(uncertainOf(fixture, victim));
    expect(sums).toMatchObject({ accepted: 5_000 - unknown.length, unknown: unknown.length, repeated: 0 });
    expect((await fixture.push.stats()).repeated).toBe(0);
    expect(await fixture.violations()).toEqual([]);
  }));

test.concurrent("workers that are asked twice to end, by SIGTERM or SIGINT, go at once, as by a kill, and their batches go on elsewhere within 20 seconds", () =>
  withFixture({ postgres, recipients: 8_000, answerDelayMs: 300 }, async (fixture) => {
    const starts = [fixture.start("worker"), fixture.start("worker"), fixture.start("worker"), fixture.start("api")];
    const [terminated, interrupted] = (await Promise.all(starts)) as [ProcessUnderTest, ProcessUnderTest];
    const { runId } = await fixture.send();
    await fixture.push.received(600);
    // No answer comes in time: neither can finish or give back what it holds between the two signals.
    await fixture.push.answerWith({ delayMs: 5_000 });
    await Promise.all([whenSending(fixture, terminated), whenSending(fixture, interrupted)]);
    const ends = [terminated.terminateTwice("SIGTERM"), interrupted.terminateTwice("SIGINT")];
    expect(await Promise.all(ends)).toEqual([1, 1]);
    await fixture.push.clearBehaviours();
    await Promise.all([whenTakenOver(fixture, runId, terminated), whenTakenOver(fixture, runId, interrupted)]);
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await fixture.violations()).toEqual([]);
  }));

test.concurrent("a worker that is killed before it has seen a stop: whoever comes after it sees the stop first and sends nothing", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    const [victim] = await Promise.all([fixture.start("worker"), fixture.start("api")]);
    const { runId } = await fixture.send();
    await fixture.push.received(600);
    await victim.freeze();
    const stopped = await fixture.call("POST", `/v1/runs/${runId}/stop`);
    expect(stopped).toMatchObject({ status: 200, body: { status: "stopping" } });
    await victim.kill();
    await fixture.start("worker");
    expect(await fixture.ended(runId)).toBe("stopped");
    const evidence = await fixture.evidence();
    expect(evidence.receipts.filter(({ at }) => at > stopped.endedAt + evidence.lagMs)).toEqual([]);
    expect(evidence.runs[0]!.sums.notSent).toBeGreaterThan(0);
    expect(await fixture.violations()).toEqual([]);
  }));

test.concurrent("a worker that is frozen until others have finished its run is fenced: awake again it posts nothing of it, and serves the next run", () =>
  withFixture({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (fixture) => {
    const starts = [fixture.start("worker"), fixture.start("worker"), fixture.start("api")];
    const [sleeper, other] = (await Promise.all(starts)) as [ProcessUnderTest, ProcessUnderTest];
    const { runId } = await fixture.send();
    await fixture.push.received(800);
    await whenSending(fixture, sleeper);
    await sleeper.freeze();
    const frozenAt = now();
    await whenTakenOver(fixture, runId, sleeper);
    expect(await fixture.ended(runId)).toBe("completed");
    expect(await other.terminate()).toBe(0);
    const thawedAt = now();
    sleeper.thaw();
    // Nobody else is there to serve it: the sleeper has left what it held and claimed anew.
    const next = await fixture.send(await fixture.addPublisher(500));
    expect(await fixture.ended(next.runId)).toBe("completed");
    expect(await sleeper.terminate()).toBe(0);

    const { receipts, readers } = await fixture.evidence();
    const subscriberOf = new Map(readers.map(({ index, subscriberId }) => [index, subscriberId]));
    const readersOf = (isMeant: (at: number) => boolean) =>
      receipts.filter((r) => r.runId === runId && isMeant(r.at)).map(({ index }) => subscriberOf.get(index)!);
    const receivedBefore = new Set(readersOf((at) => at < frozenAt));
    // What it had written, and the kernel had not yet taken, nobody can call back.
    const isInItsSockets = (id: number) => uncertainOf(fixture, sleeper).has(id) && !receivedBefore.has(id);
    expect(readersOf((at) => at > thawedAt).filter((id) => !isInItsSockets(id))).toEqual([]);
    expect(await fixture.violations()).toEqual([]);
  }));

/** A living worker that holds batches of the run. */
async function workerAtWork(fixture: FaultFixture, runId: string): Promise<ProcessUnderTest | undefined> {
  const holders = await holdersOf(fixture, runId);
  return fixture.processes.find((member) => member.isAlive() && holders.includes(member.pid));
}

/** Resolves when others hold the batches that a worker held as it died. */
async function whenTakenOver(fixture: FaultFixture, runId: string, { name, pid }: ProcessUnderTest): Promise<void> {
  expect(await holdersOf(fixture, runId)).toContain(pid);
  const isTakenOver = async () => !(await holdersOf(fixture, runId)).includes(pid);
  await eventually(isTakenOver, onThisMachine(20_000), `the batches of ${name} were not taken over`);
}

/** Whom the ledger held for uncertain in the batches of a worker when it died or was frozen. */
function uncertainOf({ history }: FaultFixture, { pid }: ProcessUnderTest): Set<number> {
  const looks = history.events.filter((event) => event.kind === "uncertain");
  return new Set(looks.filter((look) => look.pid === pid).flatMap(({ subscriberIds }) => subscriberIds));
}
