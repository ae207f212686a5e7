import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".ts"))
  .sort();
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");

/** The titles of tests and groups, including those with tables of cases: the first text after the opening bracket. */
const titles =
  /\b(?:test|it|describe)(?:\.(?:skipIf|runIf)\([^)]*\)|\.\w+)*(?:<[^>]*>)?(?:\((?:\[[\s\S]*?\]|[^"`()]*?)\))?\(\s*("(?:[^"\\]|\\.)*"|`[^`]*`|'[^']*')/g;

test("names of tests have less than 90 characters", () => {
  const names = files.flatMap((file) =>
    [...textOf(file).matchAll(titles)].map(([, title]) => ({ file, name: title!.slice(1, -1) })),
  );
  expect(names.length).toBeGreaterThan(2_000);
  expect(names.filter(({ name }) => name.length >= 90)).toEqual([]);
});

/** Tests whose subject is a statement on these tables: what the database refuses, and rows that no program writes. */
const mayWriteRows = [
  "campaigns/moves.test.ts",
  "faults/audience.test.ts",
  "http/logs.test.ts",
  "runs/states.test.ts",
  "runs/sums.test.ts",
  "subscribers/vapid-pair.test.ts",
];
const tables =
  "runs|run_batches|run_recipients|run_totals|run_waves|run_messages|campaigns|subscribers|subscriber_topics";
const writes = new RegExp(`\`[^\`/]*\\b(?:insert into|update|delete from)\\s+(?:${tables})\\b`);

test("only test/fixtures/rows writes runs, campaigns and subscribers", () => {
  const others = files.filter((file) => !file.startsWith("fixtures/rows/") && writes.test(textOf(file)));
  expect(others).toEqual(mayWriteRows);
});
