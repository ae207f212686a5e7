import { beforeEach, describe, expect, test } from "vitest";
import type { Effect } from "../../src/delivery/answers/read-answer.ts";
import { type CongestionWindow, createCongestionWindow } from "../../src/delivery/pace/congestion-window.ts";
import { createSitePushServices } from "../../src/delivery/pace/site-push-services.ts";

let now = 0;
let window: CongestionWindow;

beforeEach(() => {
  now = 1_000;
  window = createCongestionWindow(
    () => now,
    () => 1,
  );
});

/** Exchanges one message after another. Each takes a millisecond. */
function exchange(effect: Effect, times = 1): void {
  for (let i = 0; i < times; i++) {
    const begun = window.begin();
    now += 1;
    window.end(begun, effect);
  }
}

describe("the window of a push service", () => {
  test("is small at first, grows with each answer, and counts what is in flight", () => {
    expect([window.size(), window.room()]).toEqual([16, 16]);
    const begun = [window.begin(), window.begin()];
    expect(window.room()).toBe(14);
    for (const at of begun) window.end(at, "taken");
    expect([window.size(), window.room()]).toEqual([20, 20]);
  });

  test("is halved by a service that asks for less, and grows slowly from there", () => {
    exchange("taken", 24);
    expect(window.size()).toBe(64);
    exchange("throttled");
    expect(window.size()).toBe(32);
    exchange("taken", 32);
    expect(window.size()).toBe(32);
    exchange("taken", 3);
    expect(window.size()).toBe(33);
  });

  test("is halved once for all that was under way together", () => {
    exchange("taken", 24);
    const begun = Array.from({ length: 30 }, () => window.begin());
    now += 100;
    for (const at of begun) window.end(at, "throttled");
    expect(window.size()).toBe(32);
  });

  test("does not grow by refusals: perhaps it is our key, and each costs a message", () => {
    exchange("refused", 100);
    expect([window.size(), window.restMs()]).toEqual([16, 0]);
  });

  test("stays when a connection ends in good order, and is between one and ten thousand", () => {
    exchange("neither", 100);
    expect(window.size()).toBe(16);
    exchange("throttled", 20);
    expect([window.size(), window.room()]).toEqual([1, 1]);
    window = createCongestionWindow(
      () => now,
      () => 1,
    );
    exchange("taken", 12_000);
    expect(window.size()).toBe(10_000);
  });
});

describe("a push service that mostly fails", () => {
  test("is left alone once half of its last answers are faults, and not for fewer", () => {
    exchange("taken", 40);
    exchange("fault", 39);
    expect([window.restMs(), window.room() > 0]).toEqual([250, false]);
    window = createCongestionWindow(
      () => now,
      () => 1,
    );
    for (let i = 0; i < 100; i++) {
      exchange("taken", 2);
      exchange("fault");
    }
    expect(window.restMs()).toBe(0);
    expect(window.room()).toBeGreaterThan(0);
  });

  test("rests twice as long after each vain probe, a minute at most, and one message is a probe", () => {
    exchange("fault", 10);
    for (const restMs of [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      expect([window.restMs(), window.room()]).toEqual([restMs, 0]);
      now += restMs;
      expect([window.restMs(), window.room()]).toEqual([0, 1]);
      const probe = window.begin();
      expect(window.room()).toBe(0);
      expect(window.restMs()).toBeGreaterThan(0);
      now += 10;
      window.end(probe, "fault");
    }
  });

  test("is sent to again from the first window on, once a probe is answered, whatever the answer", () => {
    exchange("taken", 200);
    exchange("fault", 60);
    now += 250;
    exchange("throttled");
    expect([window.restMs(), window.size(), window.room()]).toEqual([0, 16, 16]);
    exchange("fault", 9);
    expect(window.restMs()).toBe(0);
  });

  test("is not checked by what had left before the rest, nor by a probe that was never written", () => {
    const early = window.begin();
    exchange("fault", 10);
    now += 250;
    window.end(early, "taken");
    expect(window.room()).toBe(1);
    exchange("neither");
    expect([window.restMs(), window.room()]).toEqual([0, 1]);
    expect([window.restsSince(early), window.restsSince(now)]).toEqual([true, false]);
  });
});

describe("the push services of a thread", () => {
  test("rest for one site and not for another, and a breaker for all", () => {
    const sitePushServices = createSitePushServices(() => now, Math.random);
    const key = Buffer.alloc(65);
    const [here, there] = [sitePushServices.of("here", "fcm", key), sitePushServices.of("there", "fcm", key)];
    here.rest(5_000);
    here.rest(1_000);
    expect([here.restMs(), there.restMs(), sitePushServices.restingPushServices()]).toEqual([5_000, 0, []]);
    for (let i = 0; i < 10; i++) here.window.end(here.window.begin(), "fault");
    expect(there.window.restMs()).toBeGreaterThan(0);
    expect(sitePushServices.restingPushServices()).toEqual(["fcm"]);
  });

  test("know nothing of a key that the site has since replaced", () => {
    const sitePushServices = createSitePushServices(() => now, Math.random);
    const [before, after] = [1, 2].map((byte) => sitePushServices.of("here", "fcm", Buffer.alloc(65, byte)));
    before!.key.check(0x20, { begunMs: now, hasAccepted: false });
    expect([before!.key.isTrusted(), after!.key.isTrusted()]).toEqual([true, false]);
  });
});
