import { beforeEach, describe, expect, test } from "vitest";
import type { Outcome } from "../../src/delivery/answers/read-answer.ts";
import { type AskedWaits, createAskedWaits } from "../../src/delivery/pace/asked-waits.ts";

const origin = "https://main.example";
const taken: Outcome = { kind: "final", effect: "taken", code: 0x20 };
const tooMany: Outcome = { kind: "retry", effect: "throttled", afterMs: 9_000, restMs: 9_000, perhapsReader: true };
const unavailable: Outcome = { kind: "retry", effect: "throttled", afterMs: 9_000, restMs: 9_000 };

let now = 0;
let waits: AskedWaits;

beforeEach(() => {
  now = 1_000;
  waits = createAskedWaits(() => now);
});

const decide = (outcome: Outcome, subscriberId: number) =>
  waits.decide(outcome, { subscriberId, origin, isSideHost: false });

describe("a wait that a main host asks for", () => {
  test("is the reader's with 429 to four of twenty, and the push service's from the fifth on", () => {
    const ofOneReader = { kind: "retry", effect: "taken", afterMs: 9_000 };
    for (let i = 0; i < 50; i++) {
      expect(decide(tooMany, i)).toEqual(ofOneReader);
      for (let k = 0; k < 4; k++) expect(decide(taken, 1_000 + k)).toEqual(taken);
    }
    expect(decide(tooMany, 50)).toEqual(ofOneReader);
    expect(decide(tooMany, 51)).toEqual(tooMany);
    // A connection that ended is neither evidence for the reader's wait nor for the push service's.
    for (let i = 0; i < 20; i++) decide({ kind: "retry", effect: "neither", afterMs: null }, 60 + i);
    expect(decide(tooMany, 52)).toEqual(tooMany);
  });

  test("is never the push service's because one reader is told again and again", () => {
    for (let i = 0; i < 50; i++) expect(decide(tooMany, 7)).toMatchObject({ effect: "taken" });
    for (let i = 0; i < 50; i++) expect(decide(unavailable, 7)).not.toHaveProperty("restMs");
  });

  test("with 503 slows the push service at once, and rests it where five readers were told", () => {
    for (let i = 0; i < 4; i++)
      expect(decide(unavailable, i)).toEqual({ kind: "retry", effect: "throttled", afterMs: 9_000 });
    expect(decide(unavailable, 4)).toEqual(unavailable);
  });

  test("rests the push service five minutes at most", () => {
    const day: Outcome = { ...unavailable, afterMs: 86_400_000, restMs: 86_400_000 };
    for (let i = 0; i < 4; i++) decide(day, i);
    expect(decide(day, 4)).toMatchObject({ restMs: 300_000 });
  });
});

describe("a wait that a side host asks for", () => {
  const sideHost = "https://side.example";
  const weighSide = (outcome: Outcome, subscriberId: number) =>
    waits.decide(outcome, { subscriberId, origin: sideHost, isSideHost: true });

  test("with 503 rests that host alone, for at most five minutes, and not the push service", () => {
    const day: Outcome = { ...unavailable, afterMs: 86_400_000, restMs: 86_400_000 };
    for (let i = 0; i < 9; i++)
      expect(weighSide(day, i)).toEqual({ kind: "retry", effect: "neither", afterMs: 300_000 });
    expect([waits.hostRestMs(sideHost), waits.hostRestMs(origin)]).toEqual([300_000, 0]);
    now += 300_000;
    expect(waits.hostRestMs(sideHost)).toBe(0);
  });

  test("with 429 is the reader's until five were told", () => {
    for (let i = 0; i < 4; i++) weighSide(tooMany, i);
    expect(waits.hostRestMs(sideHost)).toBe(0);
    expect(weighSide(tooMany, 4)).not.toHaveProperty("restMs");
    expect(waits.hostRestMs(sideHost)).toBe(9_000);
  });
});

test("a reader's wait is remembered until it is over", () => {
  waits.remember(7, now + 5_000);
  expect([waits.untilOf(7), waits.untilOf(8)]).toEqual([6_000, 0]);
  now += 5_000;
  expect(waits.untilOf(7)).toBe(0);
});
