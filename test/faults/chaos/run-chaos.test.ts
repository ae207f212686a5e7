import { expect, test } from "vitest";
import { lateFaults } from "./run-chaos.ts";

test("a chaos run reports that its run ended before half of the faults began", () => {
  expect(lateFaults([1, 2, 3, 4, 5], 2.5)).toEqual(["over too soon: only 2 of 5 faults began during the run"]);
  expect(lateFaults([1, 2, 3, 4], 2.5)).toEqual([]);
});
