import { readLabels } from "./labels.ts";
import { decideLabelled, reportOutcomes } from "./measure-decision.ts";
import { measurePage, reportSuite } from "./measure-suite.ts";
import { isSuite, readSuite } from "./suite.ts";

const [folder, ...others] = process.argv.slice(2);
if (folder === undefined || others.length > 0) {
  process.stderr.write("Usage: npm run decision:measure -- DIR. docs/decision.md tells what the folder holds.\n");
  process.exit(1);
}
try {
  process.stdout.write(`${isSuite(folder) ? measureSuite(folder) : measureDecisions(folder)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

function measureDecisions(folder: string): string {
  const today = Date.now();
  return reportOutcomes(readLabels(folder).map((page) => decideLabelled(page, today)));
}

function measureSuite(folder: string): string {
  return reportSuite(readSuite(folder).map(measurePage));
}
