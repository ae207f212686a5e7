import { describe, expect, test } from "vitest";
import { createInFlightBudget, shareOut } from "../../src/delivery/pace/in-flight-budget.ts";

describe("the intents of a thread", () => {
  test("are shared by the push services at work; one alone leaves a quarter to the next", () => {
    const budget = createInFlightBudget(200);
    const fcm = budget.enter("fcm", "run");
    expect([fcm.share(), fcm.room()]).toEqual([150, 150]);
    fcm.hold(150);
    const mozilla = budget.enter("mozilla", "run");
    expect([fcm.room(), mozilla.room()]).toEqual([-50, 50]);
    fcm.hold(90);
    expect([fcm.room(), mozilla.room()]).toEqual([10, 100]);
    budget.enter("mozilla", "run").leave();
    expect(fcm.share()).toBe(100);
    mozilla.leave();
    expect(fcm.share()).toBe(150);
  });

  test("are shared by the runs of a push service, however many batches each has there", () => {
    const budget = createInFlightBudget(200);
    const [large, more] = [budget.enter("fcm", "large"), budget.enter("fcm", "large")];
    large.hold(100);
    more.hold(50);
    expect([large.share(), large.room(), more.room()]).toEqual([150, 0, 0]);
    const small = budget.enter("fcm", "small");
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
      const batch = budget.enter(pushService, "run");
      batch.hold(Math.max(0, batch.room()));
      held += batch.count;
    }
    expect(budget.enter("q", "run").room()).toBeLessThanOrEqual(0);
    expect(held).toBe(10);
  });
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
