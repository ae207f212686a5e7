import { parseArgs } from "node:util";
import { runChaos } from "./run-chaos.ts";

/*
 * The chaos run: npm run chaos [-- --seed N --seconds 60 --recipients 20000 --workers 3]
 *
 * Prints its seed, a line for each fault, and the result. The same seed chooses the same faults in the same order;
 * which messages they hit depends on the timing of the machine. Exit code 1 when a violation is found.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e6)) },
    seconds: { type: "string", default: "60" },
    recipients: { type: "string", default: "20000" },
    workers: { type: "string", default: "3" },
  },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);

print(`seed ${values.seed}, ${values.seconds} s of faults, ${values.recipients} recipients, ${values.workers} workers`);
const { found, summary } = await runChaos({
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  recipients: Number(values.recipients),
  workers: Number(values.workers),
  onLine: print,
});
print(summary);
for (const violation of found.slice(0, 20)) print(`FOUND ${violation}`);
print(
  found.length === 0
    ? `seed ${values.seed}: nothing lost, every repeat counted`
    : `seed ${values.seed}: ${found.length} violations`,
);
process.exitCode = found.length === 0 ? 0 : 1;
