import { expect, test } from "vitest";
import { expectLinear, fill } from "./growth.ts";

const make = (size: number) => fill("x", size);
const limits = { size: 100_000, ceilingMs: 10_000 };
const growsTooFast = /to be less than 2$/;

/** Takes about `steps` nanoseconds. */
function count(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum = (sum + step * 7) % 1_000_003;
  return sum;
}

test("a quadratic function is found", () => {
  expect(() => expectLinear(make, ({ length }) => count(length ** 2 / 4_000), limits)).toThrow(growsTooFast);
});

test("a quadratic part is found where a linear one takes a fifth of the time", () => {
  const work = ({ length }: string) => count(length ** 2 / 4_000 + length * 12);
  expect(() => expectLinear(make, work, limits)).toThrow(growsTooFast);
});

test("a linear function and an n·log n one are accepted", () => {
  expectLinear(make, ({ length }) => count(length * 50), limits);
  expectLinear(make, ({ length }) => count(length * Math.log2(length) * 3), limits);
});

test("a linear function is accepted although the first runs on the larger input are disturbed", () => {
  let runs = 0;
  const work = ({ length }: string) => {
    const isDisturbed = length > limits.size && ++runs <= 3;
    return count(length * (isDisturbed ? 150 : 50));
  };
  expectLinear(make, work, limits);
});

test("a function that is linear but slow is found by the ceiling", () => {
  const slow = () => expectLinear(make, ({ length }) => count(length * 50), { ...limits, ceilingMs: 10 });
  expect(slow).toThrow(/to be less than 10$/);
});
