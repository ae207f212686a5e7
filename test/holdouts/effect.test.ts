import { describe, expect, test } from "vitest";
import { effectOf, type HoldoutDay } from "../../src/holdouts/effect.ts";
import { randomFrom } from "../faults/random.ts";

const counted = (readers: number, came: number | null) => ({ readers, came });
type Group = [readers: number, came: number | null];
const dayOf = (age: number, heldOut: Group, others: Group, startsOn = "2026-01-05"): HoldoutDay => {
  return { class: "normal", startsOn, percent: 1, age, heldOut: counted(...heldOut), others: counted(...others) };
};

describe("the effect of a class", () => {
  test("is nothing before the first count", () => {
    expect(effectOf("normal", [])).toEqual({ class: "normal", days: 0, heldOut: 0, visits: null, left: null });
  });

  test("in visits is the difference of who came in a day, of 1,000 readers", () => {
    const { visits, days, heldOut } = effectOf("normal", [
      dayOf(1, [1_000, 120], [99_000, 19_800]),
      dayOf(0, [1_000, 80], [99_000, 9_900]),
    ]);
    expect({ days, heldOut }).toEqual({ days: 2, heldOut: 1_000 });
    expect(visits!.heldOut).toBeCloseTo(100);
    expect(visits!.others).toBeCloseTo(150);
    expect(visits!.difference.middle).toBeCloseTo(50);
    // The interval of a share of one in ten among 1,000 readers: 1.96 standard errors to each side.
    expect(visits!.difference.high - visits!.difference.low).toBeCloseTo(2 * 1.96 * 1_000 * Math.sqrt(0.09 / 1_000), 0);
  });

  test("in visits is not of a first day, on which nobody may have been left out", () => {
    const first = dayOf(0, [1_000, null], [99_000, null]);
    expect(effectOf("normal", [first])).toMatchObject({ days: 0, heldOut: 1_000, visits: null });
    const { days, visits } = effectOf("normal", [dayOf(1, [1_000, 100], [99_000, 9_900]), first]);
    expect({ days, difference: visits!.difference.middle }).toEqual({ days: 1, difference: 0 });
  });

  describe("in readers", () => {
    const first = dayOf(0, [1_000, 0], [99_000, 0]);
    const last = dayOf(27, [990, 0], [97_000, 0]);
    const settled = dayOf(34, [990, 0], [96_030, 0]);

    test("is known once a whole period has settled", () => {
      expect(effectOf("normal", [dayOf(33, [990, 0], [96_030, 0]), last, first]).left).toBeNull();
      const { left } = effectOf("normal", [settled, last, first]);
      expect(left!.heldOut).toBeCloseTo(10);
      expect(left!.others).toBeCloseTo(30);
      expect(left!.difference.middle).toBeCloseTo(20);
    });

    test.for<[string, HoldoutDay[]]>([
      ["began late", [settled, last, dayOf(3, [1_000, 0], [99_000, 0])]],
      ["ended early", [settled, dayOf(2, [1_000, 0], [99_000, 0]), first]],
      ["had another share for some days", [settled, last, { ...dayOf(9, [500, 0], [99_500, 0]), percent: 2 }, first]],
    ])("is not known of a period that %s", ([_, days]) => expect(effectOf("normal", days).left).toBeNull());
  });

  test("weighs each period by the readers left out in it", () => {
    const { visits } = effectOf("normal", [
      dayOf(0, [3_000, 300], [9_000, 900], "2026-02-02"),
      dayOf(0, [1_000, 100], [9_000, 4_500]),
    ]);
    expect(visits!.difference.middle).toBeCloseTo(100);
  });

  test("has a range where nobody came, and none where nobody was left out", () => {
    const { visits } = effectOf("normal", [dayOf(0, [20, 0], [2_000, 0])]);
    expect(visits!.difference.middle).toBe(0);
    expect(visits!.difference.high).toBeGreaterThan(50);
    expect(effectOf("normal", [dayOf(0, [0, 0], [5, 5])]).visits).toBeNull();
  });
});

test.for([
  ["who come on any day", (chance: number) => Array.from({ length: 28 }, () => chance)],
  ["who come every day or never", (chance: number) => [chance]],
] as const)("the range holds the truth in nineteen of twenty sites with readers %s", ([_, chances]) => {
  const random = randomFrom(7).unit;
  const sites = 300;
  const came = (readers: number, chance: number) => {
    const perDay = chances(chance).map((of) => Array.from({ length: readers }).filter(() => random() < of).length);
    return Array.from({ length: 28 }, (_, day) => perDay[day % perDay.length]!);
  };
  let held = 0;
  for (let site = 0; site < sites; site++) {
    const [left, others] = [came(100, 0.2), came(400, 0.3)];
    const days = left.map((n, age) => dayOf(age, [100, n], [400, others[age]!]));
    const { low, high } = effectOf("normal", days).visits!.difference;
    if (low <= 100 && 100 <= high) held++;
  }
  expect(held / sites).toBeGreaterThan(0.92);
});
