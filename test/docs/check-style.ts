import { readFile, writeFile } from "node:fs/promises";
import { pagesOfProject, readPage } from "./pages.ts";
import { countStyle, type Known, knownOf, newFaults } from "./style.ts";

/**
 * `npm run check:style` fails if a page has more faults of the old style than this file records. With --write, it
 * records the present faults.
 */
const knownFile = new URL("style-known.json", import.meta.url);

const counted = await Promise.all(
  pagesOfProject().map(async (page) => [page, countStyle(await readPage(page))] as const),
);

if (process.argv.includes("--write")) {
  const known = counted.map(([page, counts]) => [page, knownOf(counts)] as const);
  const kept = Object.fromEntries(known.filter(([, each]) => Object.keys(each).length > 0));
  await writeFile(knownFile, `${JSON.stringify(kept, null, 2)}\n`);
} else {
  const known: Record<string, Known> = JSON.parse(await readFile(knownFile, "utf8"));
  const faults = counted.flatMap(([page, counts]) => newFaults(page, counts, known[page]));
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.stderr.write("docs/style.md says what to do.\n");
  process.exitCode = faults.length > 0 ? 1 : 0;
}
