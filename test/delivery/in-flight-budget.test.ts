import { describe, expect, test } from "vitest";
import { createInFlightBudget, shareOut } from "../../src/delivery/pace/in-flight-budget.ts";

/** Returns a run of `recipientsOfRun` readers, by default a million. */
const run = (runId = "run", recipientsOfRun = 1_000_000, batchesOfRun = 0) => {
  return { runId, recipientsOfRun, batchesOfRun };
};

describe("the intents of a thread", () => {
  test("are shared by the push services at work; one alone leaves a quarter to the next", () => {
    const budget = createInFlightBudget(200);
    const fcm = budget.enter("fcm", run());
    expect([fcm.share(), fcm.room()]).toEqual([150, 150]);
    fcm.hold(150);
    const mozilla = budget.enter("mozilla", run());
    expect([fcm.room(), mozilla.room()]).toEqual([-50, 50]);
    fcm.hold(90);
    expect([fcm.room(), mozilla.room()]).toEqual([10, 100]);
    budget.enter("mozilla", run()).leave();
    expect(fcm.share()).toBe(100);
    mozilla.leave();
    expect(fcm.share()).toBe(150);
  });

  test("are shared by the runs of a push service, however many batches each has there", () => {
    const budget = createInFlightBudget(200);
    const [large, more] = [budget.enter("fcm", run("large")), budget.enter("fcm", run("large"))];
    large.hold(100);
    more.hold(50);
    expect([large.share(), large.room(), more.room()]).toEqual([150, 0, 0]);
    const small = budget.enter("fcm", run("small"));
    expect([small.share(), small.room(), large.room()]).toEqual([75, 50, -75]);
    more.leave();
    expect([small.room(), large.room()]).toEqual([75, -25]);
    small.leave();
    expect([large.share(), large.room(), large.count]).toEqual([150, 50, 100]);
  });

  test("are never more in all than the thread has, however many push services", () => {
    const budget = createInFlightBudget(10);
    let held = 0;
    for (const pushService of "abcdefghijklmnop") {
      const batch = budget.enter(pushService, run());
      batch.hold(Math.max(0, batch.room()));
      held += batch.count;
    }
    expect(budget.enter("q", run()).room()).toBeLessThanOrEqual(0);
    expect(held).toBe(10);
  });
});

describe("the intents of one run", () => {
  test("are a tenth of it in a process, or 200 of a small one, whatever a thread may have", () => {
    const most = (threads: number, size: ReturnType<typeof run>) =>
      createInFlightBudget(10_000, threads).mostOf(size) * Math.min(threads, Math.max(size.batchesOfRun, 1));
    expect(most(1, run("large", 25_000))).toBe(2_500);
    expect(most(4, run("large", 25_000, 25))).toBe(2_500);
    expect(most(1, run("small", 500, 3))).toBe(200);
    // The run has two batches, so only two threads can have one.
    expect(most(16, run("small", 1_500, 2))).toBe(200);
    expect(createInFlightBudget(10_000, 2).mostOf(run("counted, and hardly planned", 25_000, 1))).toBe(1_250);
  });

  test("are shared by its push services, and one that is alone leaves a quarter to the next", () => {
    const budget = createInFlightBudget(10_000);
    const fcm = budget.enter("fcm", run("small", 4_000));
    expect([fcm.share(), fcm.room()]).toEqual([300, 300]);
    fcm.hold(300);
    const mozilla = budget.enter("mozilla", run("small", 4_000));
    expect([fcm.room(), mozilla.share(), mozilla.room()]).toEqual([-100, 200, 100]);
    const other = budget.enter("mozilla", run("other", 4_000));
    expect(other.room()).toBe(300);
    fcm.leave();
    expect([mozilla.share(), mozilla.room()]).toEqual([300, 300]);
  });
});

test("more of a run is in flight as more of it is planned", () => {
  const budget = createInFlightBudget(10_000, 2);
  const size = run("large", 10_001, 1);
  const batch = budget.enter("fcm", size);
  expect([batch.share(), budget.mostOf(size)]).toEqual([375, 500]);
  batch.resize(run("large", 81_000, 82));
  expect([batch.share(), batch.room(), budget.mostOf(size)]).toEqual([3_037, 3_037, 4_050]);
  expect(budget.enter("fcm", run("another", 81_000, 82)).share()).toBe(3_037);
  batch.resize(run("large", 1_000_000, 1_000));
  expect(batch.share()).toBe(3_750);
});

describe("the threads of a process", () => {
  test("have ten thousand messages in flight each, unless IN_FLIGHT_MAX says less for all of them", () => {
    expect(shareOut(undefined, 16)).toEqual({ threads: 16, budget: 10_000 });
    expect(shareOut(6_000, 2)).toEqual({ threads: 2, budget: 3_000 });
  });

  test("are fewer than WORKERS where each would get less than a hundred, and at least one", () => {
    expect(shareOut(500, 16)).toEqual({ threads: 5, budget: 100 });
    expect(shareOut(16, 4)).toEqual({ threads: 1, budget: 16 });
  });
});
