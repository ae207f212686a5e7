import { beforeAll, expect, test } from "vitest";
import { onThisMachine } from "../worlds/busy-machine.ts";
import { eventually } from "../worlds/eventually.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";
import { holdersOf, inTrial } from "./trial.ts";

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  return postgres.close;
});

// All of them wait for leases to run out: side by side they take a third of the time.
test.concurrent("three workers that die by kill -9 amid a run: nobody is lost, and whoever is repeated was known to be uncertain", () =>
  inTrial({ postgres, recipients: 6_000, answerDelayMs: 300 }, async (trial) => {
    await Promise.all([trial.start("api"), trial.start("worker"), trial.start("worker")]);
    const { runId } = await trial.send();
    for (const received of [500, 1_200, 1_900]) {
      await trial.push.received(received);
      const victim = trial.members.find((member) => member.url === "" && member.isAlive())!;
      await Promise.all([victim.kill(), trial.start("worker")]);
    }
    expect(await trial.ended(runId)).toBe("completed");
    expect(await trial.faults()).toEqual([]);
  }));

test.concurrent("a worker that is asked twice to end goes at once, as by a kill, and its batches go on elsewhere within 20 seconds", () =>
  inTrial({ postgres, recipients: 5_000, answerDelayMs: 1_000 }, async (trial) => {
    const [hasty] = await Promise.all([trial.start("worker"), trial.start("worker"), trial.start("api")]);
    const { runId } = await trial.send();
    await trial.push.received(600);
    expect(await hasty.askTwice()).toBe(1);
    const isTakenOver = async () => !(await holdersOf(trial, runId)).includes(hasty.pid);
    await eventually(isTakenOver, onThisMachine(20_000), "its batches were not taken over");
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

test.concurrent("a worker that is frozen for longer than its lease is fenced: it posts nothing when it wakes, and others have gone on", () =>
  inTrial({ postgres, recipients: 5_000, answerDelayMs: 300 }, async (trial) => {
    const [sleeper] = await Promise.all([trial.start("worker"), trial.start("worker"), trial.start("api")]);
    const { runId } = await trial.send();
    await trial.push.received(800);
    await sleeper.freeze();
    const isTakenOver = async () => !(await holdersOf(trial, runId)).includes(sleeper.pid);
    await eventually(isTakenOver, onThisMachine(25_000), "the sleeper's batches were not taken over");
    sleeper.thaw();
    expect(await trial.ended(runId)).toBe("completed");
    expect(await trial.faults()).toEqual([]);
    expect(await sleeper.ask()).toBe(0);
  }));
