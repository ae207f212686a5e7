import { createECDH, randomBytes, randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { openNativeCheck } from "../test/fixtures/native-check.ts";

/**
 * Tests whether the time of eight agreements depends on their scalars, by the method of dudect (Reparaz, Balasch and
 * Verbauwhede, 2017). A coin decides whether a call gets fixed or random scalars, and Welch's t compares the cycles of
 * both. Slow calls, which the system interrupted, are cut off at percentiles. |t| above 4.5 would show a leak.
 * `--calls`: the number for each fixed scalar, by default 60,000. Run it on an idle machine.
 */
const { values } = parseArgs({ options: { calls: { type: "string", default: "60000" } } });
const calls = Number(values.calls);
const lanes = 8;
const percentiles = [0.5, 0.8, 0.95];
const fixedScalars: [string, Buffer][] = [
  ["1", Buffer.alloc(32).fill(1, 31)],
  ["2", Buffer.alloc(32).fill(2, 31)],
  ["2^255 - 1", Buffer.alloc(32, 255).fill(0x7f, 0, 1)],
  ["0x5555…", Buffer.alloc(32, 0x55)],
];

const check = await openNativeCheck();
const theirKeys = Buffer.concat(Array.from({ length: lanes }, () => createECDH("prime256v1").generateKeys()));
const ours = Buffer.alloc(lanes * 65);
const shared = Buffer.alloc(lanes * 32);

for (const [name, scalar] of fixedScalars) {
  const fixed = Buffer.concat(Array.from({ length: lanes }, () => scalar));
  const cycles: { fixed: boolean; count: number }[] = [];
  for (let i = 0; i < calls; i++) {
    const random = randomScalars();
    const isFixed = randomInt(2) === 1;
    // Both kinds are copied, so that the caches do not reveal which one is used.
    const scalars = Buffer.from(isFixed ? fixed : random);
    cycles.push({ fixed: isFixed, count: Number(check.agree(2, scalars, theirKeys, ours, shared)) });
  }
  const sorted = cycles.map(({ count }) => count).toSorted((a, b) => a - b);
  const texts = percentiles.map((percentile) => {
    const atMost = sorted[Math.floor(percentile * (sorted.length - 1))]!;
    const of = (isFixed: boolean) => cycles.filter((each) => each.fixed === isFixed && each.count <= atMost);
    return welch(
      of(true).map(({ count }) => count),
      of(false).map(({ count }) => count),
    ).toFixed(2);
  });
  process.stdout.write(`| ${name} | ${sorted[Math.floor(sorted.length / 2)]} | ${texts.join(" | ")} |\n`);
}

/** Returns random scalars below the order of the curve. The first four bytes of the order are 0xff. */
function randomScalars(): Buffer {
  const scalars = randomBytes(lanes * 32);
  for (let i = 0; i < lanes; i++) scalars[i * 32] = scalars[i * 32]! & 0x7f;
  return scalars;
}

function welch(a: number[], b: number[]): number {
  const [one, other] = [a, b].map((counts) => {
    const mean = counts.reduce((sum, each) => sum + each, 0) / counts.length;
    const variance = counts.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (counts.length - 1);
    return { mean, error: variance / counts.length };
  });
  return (one!.mean - other!.mean) / Math.sqrt(one!.error + other!.error);
}
