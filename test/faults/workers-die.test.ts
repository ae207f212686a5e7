import { beforeAll, expect, test } from "vitest";
import { unknownCode } from "../../src/runs/codes.ts";
import { changeSite } from "../../src/tenants/change-site.ts";
import { onThisMachine } from "../worlds/busy-machine.ts";
import { eventually } from "../worlds/eventually.ts";
import { operatorOf } from "../worlds/publisher.ts";
import { now } from "./history.ts";
import type { Member } from "./members.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";
import { holdersOf, inTrial, type Trial, underWay } from "./trial.ts";

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  return postgres.close;
});

// All of them wait for leases to run out: side by side they take a third of the time.
test.concurrent("three workers that die by kill -9 amid a run: others hold their batches within 20 seconds, nobody is lost, and whoever is repeated was known to be uncertain", () =>
  inTrial({ postgres, recipients: 6_000, answerDelayMs: 300 }, async (trial) => {
    await Promise.all([trial.start("api"), trial.start("worker"), trial.start("worker")]);
    const { runId } = await trial.send();
    const takeovers: Promise<unknown>[] = [];
    for (const received of [500, 1_200, 1_900]) {
      await trial.push.received(received);
      const victim = await eventually(() => workerAtWork(trial, runId), onThisMachine(20_000));
      await Promise.all([victim.kill(), trial.start("worker")]);
      takeovers.push(takenOver(trial, runId, victim));
    }
    await Promise.all(takeovers);
    expect(await trial.ended(runId)).toBe("completed");
    expect(await trial.faults()).toEqual([]);
  }));

test.concurrent("a worker that dies by kill -9 amid a run of a site that wants nobody repeated: nobody is, and exactly who was uncertain is counted as unknown", () =>
  inTrial({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (trial) => {
    const { siteId, tenantId } = trial.publisher;
    await changeSite(trial.app, operatorOf(tenantId), { siteId, onUncertain: "skip" });
    const [victim] = await Promise.all([trial.start("worker"), trial.start("worker"), trial.start("api")]);
    const { runId } = await trial.send();
    await trial.push.received(800);
    await underWay(trial, victim);
    await victim.kill();
    await takenOver(trial, runId, victim);
    expect(await trial.ended(runId)).toBe("completed");
    const { recipients, sums } = (await trial.evidence()).runs[0]!;
    const unknown = recipients.filter(({ code }) => code === unknownCode).map(({ subscriberId }) => subscriberId);
    expect(unknown.length).toBeGreaterThan(0);
    expect(new Set(unknown)).toEqual(uncertainOf(trial, victim));
    expect(sums).toMatchObject({ accepted: 5_000 - unknown.length, unknown: unknown.length, repeated: 0 });
    expect((await trial.push.stats()).repeated).toBe(0);
    expect(await trial.faults()).toEqual([]);
  }));

test.concurrent("workers that are asked twice to end, by SIGTERM or SIGINT, go at once, as by a kill, and their batches go on elsewhere within 20 seconds", () =>
  inTrial({ postgres, recipients: 8_000, answerDelayMs: 300 }, async (trial) => {
    const starts = [trial.start("worker"), trial.start("worker"), trial.start("worker"), trial.start("api")];
    const [terminated, interrupted] = (await Promise.all(starts)) as [Member, Member];
    const { runId } = await trial.send();
    await trial.push.received(600);
    // No answer comes in time: neither can finish or give back what it holds between the two signals.
    await trial.push.answerWith({ delayMs: 5_000 });
    await Promise.all([underWay(trial, terminated), underWay(trial, interrupted)]);
    const ends = [terminated.askTwice("SIGTERM"), interrupted.askTwice("SIGINT")];
    expect(await Promise.all(ends)).toEqual([1, 1]);
    await trial.push.clearBehaviours();
    await Promise.all([takenOver(trial, runId, terminated), takenOver(trial, runId, interrupted)]);
    expect(await trial.ended(runId)).toBe("completed");
    expect(await trial.faults()).toEqual([]);
  }));

test.concurrent("a worker that is killed before it has seen a stop: whoever comes after it sees the stop first and sends nothing", () =>
  inTrial({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (trial) => {
    const [victim] = await Promise.all([trial.start("worker"), trial.start("api")]);
    const { runId } = await trial.send();
    await trial.push.received(600);
    await victim.freeze();
    const stopped = await trial.call("POST", `/v1/runs/${runId}/stop`);
    expect(stopped).toMatchObject({ status: 200, body: { status: "stopping" } });
    await victim.kill();
    await trial.start("worker");
    expect(await trial.ended(runId)).toBe("stopped");
    const evidence = await trial.evidence();
    expect(evidence.receipts.filter(({ at }) => at > stopped.endedAt + evidence.lagMs)).toEqual([]);
    expect(evidence.runs[0]!.sums.notSent).toBeGreaterThan(0);
    expect(await trial.faults()).toEqual([]);
  }));

test.concurrent("a worker that is frozen until others have finished its run is fenced: awake again it posts nothing of it, and serves the next run", () =>
  inTrial({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (trial) => {
    const starts = [trial.start("worker"), trial.start("worker"), trial.start("api")];
    const [sleeper, other] = (await Promise.all(starts)) as [Member, Member];
    const { runId } = await trial.send();
    await trial.push.received(800);
    await underWay(trial, sleeper);
    await sleeper.freeze();
    const frozenAt = now();
    await takenOver(trial, runId, sleeper);
    expect(await trial.ended(runId)).toBe("completed");
    expect(await other.ask()).toBe(0);
    const thawedAt = now();
    sleeper.thaw();
    // Nobody else is there to serve it: the sleeper has left what it held and claimed anew.
    const next = await trial.send(await trial.addPublisher(500));
    expect(await trial.ended(next.runId)).toBe("completed");
    expect(await sleeper.ask()).toBe(0);

    const { receipts, readers } = await trial.evidence();
    const subscriberOf = new Map(readers.map(({ index, subscriberId }) => [index, subscriberId]));
    const readersOf = (isMeant: (at: number) => boolean) =>
      receipts.filter((r) => r.runId === runId && isMeant(r.at)).map(({ index }) => subscriberOf.get(index)!);
    const receivedBefore = new Set(readersOf((at) => at < frozenAt));
    // What it had written, and the kernel had not yet taken, nobody can call back.
    const isInItsSockets = (id: number) => uncertainOf(trial, sleeper).has(id) && !receivedBefore.has(id);
    expect(readersOf((at) => at > thawedAt).filter((id) => !isInItsSockets(id))).toEqual([]);
    expect(await trial.faults()).toEqual([]);
  }));

/** A living worker that holds batches of the run. */
async function workerAtWork(trial: Trial, runId: string): Promise<Member | undefined> {
  const holders = await holdersOf(trial, runId);
  return trial.members.find((member) => member.isAlive() && holders.includes(member.pid));
}

/** Resolves when others hold the batches that a worker held as it died. */
async function takenOver(trial: Trial, runId: string, { name, pid }: Member): Promise<void> {
  expect(await holdersOf(trial, runId)).toContain(pid);
  const isTakenOver = async () => !(await holdersOf(trial, runId)).includes(pid);
  await eventually(isTakenOver, onThisMachine(20_000), `the batches of ${name} were not taken over`);
}

/** Whom the ledger held for uncertain in the batches of a worker when it died or was frozen. */
function uncertainOf({ history }: Trial, { pid }: Member): Set<number> {
  const looks = history.events.filter((event) => event.kind === "uncertain");
  return new Set(looks.filter((look) => look.pid === pid).flatMap(({ subscriberIds }) => subscriberIds));
}
