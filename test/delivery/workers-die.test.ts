import { beforeAll, describe, expect, test } from "vitest";
import { onThisMachine } from "../worlds/busy-machine.ts";
import { eventually } from "../worlds/eventually.ts";
import { ended, expectNobodyLost, type Fleet, ownersOf, startAmid, startFleet } from "./fleet.ts";

const audience = 3_000;

describe("workers that die amid a run", () => {
  let two: Fleet;
  let one: Fleet;

  beforeAll(async () => {
    const crashes = { NODE_OPTIONS: `--import ${new URL("./crash-thread.ts", import.meta.url).pathname}` };
    [two, one] = await Promise.all([startFleet(2, audience), startFleet(1, audience, crashes)]);
    return async () => {
      await two.pushService.close();
      await one.pushService.close();
    };
  });

  // Both mostly wait for a lease to run out: together they take half the time.
  test.concurrent("by kill -9: the other goes on within 20 seconds, nobody is lost, and every repeat is counted", async () => {
    const [victim] = two.workers;
    const run = await startAmid(two, 500);
    victim!.process.kill("SIGKILL");
    expect(await victim!.ended).toBe("SIGKILL");
    const gone = async () => !(await ownersOf(two.app, run)).includes(String(victim!.process.pid));
    await eventually(gone, onThisMachine(20_000), "the dead worker's batches were not taken over");
    const seen = await ended(two, run);
    expectNobodyLost(two, seen, audience);
    expect(seen.repeated).toBeGreaterThan(0);
  }, 120_000);

  test.concurrent("by a thread that crashes: it is replaced, and its batches go on when their leases end", async () => {
    const [worker] = one.workers;
    const run = await startAmid(one, 500);
    worker!.process.kill("SIGUSR2");
    await worker!.printed(/a delivery thread died/);
    const seen = await ended(one, run);
    expectNobodyLost(one, seen, audience);
    worker!.process.kill("SIGTERM");
    expect(await worker!.ended).toBe(0);
  }, 120_000);
});
