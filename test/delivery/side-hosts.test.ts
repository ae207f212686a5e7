import { beforeEach, expect, test } from "vitest";
import type { Effect } from "../../src/delivery/answers/read-answer.ts";
import { createSideHosts, type SideHosts } from "../../src/delivery/pace/side-hosts.ts";

const paris = "https://wns2-par02p.notify.windows.com";
const london = "https://wns2-ln2p.notify.windows.com";

let now = 0;
let sideHosts: SideHosts;

beforeEach(() => {
  now = 1_000;
  sideHosts = open("wns");
});

function open(pushService: string): SideHosts {
  return createSideHosts(
    pushService,
    () => now,
    () => 1,
  );
}

/**
 * Exchanges one message after another with a host. Each takes a millisecond. Returns what the last one says about the
 * push service.
 */
function exchange(origin: string, effect: Effect, times = 1, isPushServiceFailing = false): Effect {
  let said = effect;
  for (let i = 0; i < times; i++) {
    sideHosts.begin(origin);
    now += 1;
    said = sideHosts.end(origin, now - 1, effect, isPushServiceFailing);
  }
  return said;
}

test("a host that mostly fails is left alone, and no other of its push service", () => {
  exchange(paris, "taken");
  expect(exchange(london, "taken")).toBe("taken");
  expect(exchange(london, "fault", 9)).toBe("fault");
  expect(sideHosts.restMs(london)).toBe(0);
  exchange(london, "fault");
  expect([sideHosts.restMs(london), sideHosts.restMs(paris)]).toEqual([250, 0]);
});

test("a host that fails says nothing of its push service, and gets probes at doubling intervals", () => {
  exchange(london, "taken");
  exchange(london, "fault", 10);
  for (const restMs of [250, 500, 1_000]) {
    expect(sideHosts.restMs(london)).toBe(restMs);
    now += restMs;
    expect(sideHosts.restMs(london)).toBe(0);
    expect(exchange(london, "fault")).toBe("neither");
  }
  now += 2_000;
  expect(exchange(london, "taken")).toBe("taken");
  exchange(london, "fault", 9);
  expect(sideHosts.restMs(london)).toBe(0);
});

test("what was on its way to a host as it was left alone is no probe of it", () => {
  exchange(london, "taken");
  sideHosts.begin(london);
  const begunMs = now;
  exchange(london, "fault", 10);
  now += 250;
  expect(sideHosts.end(london, begunMs, "fault", false)).toBe("neither");
  expect(sideHosts.restMs(london)).toBe(0);
});

test("a host that has never answered says nothing of its push service: perhaps there is none", () => {
  expect(exchange(london, "fault", 30)).toBe("neither");
  expect(exchange(london, "fault", 1, true)).toBe("neither");
});

test("where the push service mostly fails, its probe goes to any host, and counts", () => {
  exchange(london, "taken");
  exchange(london, "fault", 10);
  expect(exchange(london, "fault", 1, true)).toBe("fault");
  now += 250;
  expect(sideHosts.restMs(london)).toBe(0);
});

test("a push service has one main host, and one named after its origin has no others", () => {
  for (const [pushService, origin] of [
    ["fcm", "https://fcm.googleapis.com"],
    ["mozilla", "https://updates.push.services.mozilla.com"],
    ["apple", "https://web.push.apple.com"],
    ["https://push.example:8443", "https://push.example:8443"],
  ] as const) {
    sideHosts = open(pushService);
    expect(exchange(origin, "fault", 30)).toBe("fault");
    expect(sideHosts.restMs(origin)).toBe(0);
  }
});

test("more than a thousand hosts that fail are not remembered: the first of them is forgotten", () => {
  exchange(london, "fault", 10);
  while (sideHosts.restMs(london) < 30_000) {
    now += sideHosts.restMs(london);
    exchange(london, "fault");
  }
  for (let i = 1; i < 1_000; i++) exchange(`https://nobody${i}.notify.windows.com`, "fault");
  expect(sideHosts.restMs(london)).toBeGreaterThan(0);
  exchange(paris, "fault");
  expect(sideHosts.restMs(london)).toBe(0);
});
