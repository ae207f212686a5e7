// Prints the 20 slowest tests of vitest's JSON reports: node .ci/slowest.mjs REPORT…
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const tests = process.argv
  .slice(2)
  .flatMap((report) =>
    JSON.parse(readFileSync(report, "utf8")).testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ duration, fullName }) => ({ file: relative(".", name), fullName, ms: duration ?? 0 })),
    ),
  );
const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, 20);
const lines = slowest.map(({ file, fullName, ms }) => `${(ms / 1000).toFixed(1).padStart(7)}  ${file}: ${fullName}\n`);
process.stdout.write(`\nseconds  test\n${lines.join("")}`);
