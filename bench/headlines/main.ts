import { parseArgs } from "node:util";
import { randomFrom } from "../../test/faults/random.ts";
import { simulateMany } from "./simulate.ts";

/** Tests of headlines on campaigns with known click rates: npm run headlines:simulate [-- --campaigns 2000 --seed 1] */
const { values } = parseArgs({
  options: { campaigns: { type: "string", default: "2000" }, seed: { type: "string", default: "1" } },
});

const readers = 5_000;
const kinds = [
  { name: "2 variants, no difference", rates: [0.02, 0.02] },
  { name: "4 variants, no difference", rates: [0.02, 0.02, 0.02, 0.02] },
  { name: "2.0 % against 2.2 %", rates: [0.02, 0.022] },
  { name: "2.0 % against 2.5 %", rates: [0.02, 0.025] },
  { name: "2.0 % against 3.0 %", rates: [0.02, 0.03] },
  { name: "2.0 % against 4.0 %", rates: [0.02, 0.04] },
  { name: "0.5 % against 0.8 %", rates: [0.005, 0.008] },
];

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const line = (cells: string[]) =>
  process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(28) : cell.padStart(24))).join("")}\n`);

const random = randomFrom(Number(values.seed));
process.stdout.write(
  `${values.campaigns} campaigns of each kind; ${readers} readers see each variant; seed ${values.seed}\n`,
);
line(["", "winner found", "false winner", "best sent to the rest", "in theory, at most"]);
for (const { name, rates } of kinds) {
  const sums = simulateMany({ rates, readers }, Number(values.campaigns), random.unit);
  line([name, percent(sums.winners), percent(sums.falseWinners), percent(sums.best), percent(sums.bestInTheory)]);
}
