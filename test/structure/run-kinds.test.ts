import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { src } from "./imports.ts";

const kinds = "live|test|update|digest|welcome|win_back";
/** Matches a comparison of a kind of run, in SQL or in TypeScript. */
const comparison = new RegExp(String.raw`\bkind\b\s*(?:[=!]==|<>|!=|=|in \(|=?\s*any\()\s*["'](?:${kinds})["']`);

test("kinds of runs are compared in one file", () => {
  const files = globSync("**/*.ts", { cwd: src }).filter((file) =>
    comparison.test(readFileSync(join(src, file), "utf8")),
  );
  expect(files).toEqual(["runs/kinds.ts"]);
});

test("the pattern finds a comparison in SQL and in TypeScript", () => {
  expect("where r.kind = 'live'").toMatch(comparison);
  expect("where kind in ('live', 'update')").toMatch(comparison);
  expect('if (run.kind !== "test") return').toMatch(comparison);
});
