import { expect, test } from "vitest";
import { idleFaults } from "./run-chaos.ts";

test("a chaos run is no proof where the run was over before half of the faults struck, and says so", () => {
  expect(idleFaults([1, 2, 3, 4, 5], 2.5)).toEqual(["over too soon: only 2 of 5 faults struck amid the run"]);
  expect(idleFaults([1, 2, 3, 4], 2.5)).toEqual([]);
});
