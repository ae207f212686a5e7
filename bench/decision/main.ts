import { readLabels } from "./labels.ts";
import { decideLabelled, reportOutcomes } from "./measure-decision.ts";

const [folder, ...others] = process.argv.slice(2);
if (folder === undefined || others.length > 0) {
  process.stderr.write("Usage: npm run decision:measure -- DIR. docs/decision.md tells what the folder holds.\n");
  process.exit(1);
}
try {
  const today = Date.now();
  const outcomes = readLabels(folder).map((page) => decideLabelled(page, today));
  process.stdout.write(`${reportOutcomes(outcomes)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
