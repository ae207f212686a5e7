import { describe, expect, test } from "vitest";
import { hasAndroidFallen, type PlatformClicks } from "../../src/receipts/check-android.ts";

/** Returns numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Site = { displayed: number; clickRate: number; storiesDiffer: number; readersDiffer: number };

/** Creates a site whose stories differ in how many readers click them, and in which readers they please. */
function createSite(random: () => number, site: Site) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const count = (n: number, p: number) => {
    let clicked = 0;
    for (let i = 0; i < n; i++) if (random() < p) clicked++;
    return clicked;
  };
  return (fall = 1): PlatformClicks => {
    const rate = site.clickRate * Math.exp(site.storiesDiffer * normal());
    const displayed = Math.round(site.displayed * (0.5 + random()));
    const liked = Math.exp(site.readersDiffer * normal());
    const clicks = (n: number, p: number) => ({ displayed: n, clicked: count(n, Math.min(p, 0.9)) });
    return { android: clicks(displayed, 1.3 * rate * liked * fall), others: clicks(displayed, rate) };
  };
}

const sites: [name: string, site: Site][] = [
  ["a small site", { displayed: 400, clickRate: 0.05, storiesDiffer: 0.5, readersDiffer: 0.15 }],
  [
    "a site whose stories please everybody alike",
    { displayed: 1_500, clickRate: 0.03, storiesDiffer: 0.6, readersDiffer: 0 },
  ],
  ["a site whose stories differ much", { displayed: 1_500, clickRate: 0.04, storiesDiffer: 0.8, readersDiffer: 0.3 }],
];

describe.each(sites)("at %s", (_name, site) => {
  test.each([10, 30])("at most one run in 200 without a fall is taken for one, with %i runs before it", (runs) => {
    const random = createRandom(runs);
    const run = createSite(random, site);
    const trials = 1_000;
    let alarms = 0;
    for (let i = 0; i < trials; i++) {
      const before = Array.from({ length: runs }, () => run());
      if (hasAndroidFallen(run(), before)) alarms++;
    }
    expect(alarms / trials).toBeLessThanOrEqual(1 / 200);
  });
});

test("a fall to a quarter is seen in one run", () => {
  const run = createSite(createRandom(1), {
    displayed: 3_000,
    clickRate: 0.03,
    storiesDiffer: 0.5,
    readersDiffer: 0.15,
  });
  const trials = 200;
  let seen = 0;
  for (let i = 0; i < trials; i++) {
    const before = Array.from({ length: 20 }, () => run());
    if (hasAndroidFallen(run(0.25), before)) seen++;
  }
  expect(seen / trials).toBeGreaterThanOrEqual(0.95);
});

test("a run after few others, with few displays, or among all that fall says nothing", () => {
  const run = (android: number, others: number, displayed = 5_000): PlatformClicks => ({
    android: { displayed, clicked: android },
    others: { displayed, clicked: others },
  });
  const before = Array.from({ length: 10 }, (_, i) => run(200 + i, 150 + i));
  expect(hasAndroidFallen(run(20, 150), before)).toBe(true);
  expect(hasAndroidFallen(run(20, 150), before.slice(1))).toBe(false);
  expect(hasAndroidFallen(run(0, 15, 199), before)).toBe(false);
  expect(hasAndroidFallen(run(20, 15), before)).toBe(false);
  // Readers of other systems click ten times as much as usual, and those on Android as much as always.
  expect(hasAndroidFallen(run(210, 1_500), before)).toBe(false);
});
