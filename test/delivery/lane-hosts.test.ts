import { beforeEach, expect, test } from "vitest";
import { createLaneHosts, type LaneHosts } from "../../src/delivery/lane-hosts.ts";
import type { Effect } from "../../src/delivery/lane-pace.ts";

const paris = "https://wns2-par02p.notify.windows.com";
const london = "https://wns2-ln2p.notify.windows.com";

let now = 0;
let hosts: LaneHosts;

beforeEach(() => {
  now = 1_000;
  hosts = open("wns");
});

function open(lane: string): LaneHosts {
  return createLaneHosts(
    lane,
    () => now,
    () => 1,
  );
}

/** One message after another to a host, each a millisecond on its way; what the last one says of the lane. */
function exchange(origin: string, effect: Effect, times = 1, isLaneFailing = false): Effect {
  let said = effect;
  for (let i = 0; i < times; i++) {
    hosts.begin(origin);
    now += 1;
    said = hosts.end(origin, now - 1, effect, isLaneFailing);
  }
  return said;
}

test("a host that mostly fails is left alone, and no other of its lane", () => {
  exchange(paris, "taken");
  expect(exchange(london, "taken")).toBe("taken");
  expect(exchange(london, "fault", 9)).toBe("fault");
  expect(hosts.restMs(london)).toBe(0);
  exchange(london, "fault");
  expect([hosts.restMs(london), hosts.restMs(paris)]).toEqual([250, 0]);
});

test("a host that is left alone says nothing of its lane, and is tried again with one probe after a rest that doubles", () => {
  exchange(london, "taken");
  exchange(london, "fault", 10);
  for (const restMs of [250, 500, 1_000]) {
    expect(hosts.restMs(london)).toBe(restMs);
    now += restMs;
    expect(hosts.restMs(london)).toBe(0);
    expect(exchange(london, "fault")).toBe("neither");
  }
  now += 2_000;
  expect(exchange(london, "taken")).toBe("taken");
  exchange(london, "fault", 9);
  expect(hosts.restMs(london)).toBe(0);
});

test("what was on its way to a host as it was left alone is no probe of it", () => {
  exchange(london, "taken");
  hosts.begin(london);
  const begunMs = now;
  exchange(london, "fault", 10);
  now += 250;
  expect(hosts.end(london, begunMs, "fault", false)).toBe("neither");
  expect(hosts.restMs(london)).toBe(0);
});

test("a host that has never answered says nothing of its lane: perhaps there is none", () => {
  expect(exchange(london, "fault", 30)).toBe("neither");
  expect(exchange(london, "fault", 1, true)).toBe("neither");
});

test("where the lane mostly fails its probe goes to any host, and counts", () => {
  exchange(london, "taken");
  exchange(london, "fault", 10);
  expect(exchange(london, "fault", 1, true)).toBe("fault");
  now += 250;
  expect(hosts.restMs(london)).toBe(0);
});

test("the main host of a push service is its lane, and a lane named after its origin has no others", () => {
  for (const [lane, origin] of [
    ["fcm", "https://fcm.googleapis.com"],
    ["mozilla", "https://updates.push.services.mozilla.com"],
    ["apple", "https://web.push.apple.com"],
    ["https://push.example:8443", "https://push.example:8443"],
  ] as const) {
    hosts = open(lane);
    expect(exchange(origin, "fault", 30)).toBe("fault");
    expect(hosts.restMs(origin)).toBe(0);
  }
});

test("more than a thousand hosts that fail are not remembered: the first of them is forgotten", () => {
  exchange(london, "fault", 10);
  while (hosts.restMs(london) < 30_000) {
    now += hosts.restMs(london);
    exchange(london, "fault");
  }
  for (let i = 1; i < 1_000; i++) exchange(`https://nobody${i}.notify.windows.com`, "fault");
  expect(hosts.restMs(london)).toBeGreaterThan(0);
  exchange(paris, "fault");
  expect(hosts.restMs(london)).toBe(0);
});
