import { describe, expect, test } from "vitest";
import { folderRules, programs, rootRule } from "./import-rules.ts";
import { betweenFolders, cyclesIn, folderOf, type Graph, importsOfSrc, relativeImports } from "./imports.ts";

const imports = importsOfSrc();
const folders = Object.keys(folderRules);

describe("src", () => {
  test.each([
    { between: "files", graph: imports },
    { between: "folders", graph: betweenFolders(imports) },
  ])("no imports between $between lead in a circle, types included", ({ graph }) => {
    expect(graph.size).toBeGreaterThan(folders.length);
    expect(cyclesIn(graph)).toEqual([]);
  });

  test("each import is one that the table allows, types included", () => {
    const mayImport = (file: string, other: string) => {
      const [from, to] = [folderOf(file), folderOf(other)];
      if (programs.includes(from) || from === to) return true;
      if (!folders.includes(to)) return !programs.includes(to);
      return (folderRules[from] ?? rootRule).mayImport.includes(to);
    };
    const refused = [...imports].flatMap(([file, others]) =>
      [...others].filter((other) => !mayImport(file, other)).map((other) => `${file} → ${other}`),
    );
    expect(refused).toEqual([]);
  });

  test("the table names lower folders first, and only folders that it has", () => {
    const above = folders.flatMap((folder, at) =>
      folderRules[folder]!.mayImport.filter((other) => !folders.slice(0, at).includes(other)).map(
        (other) => `${folder} → ${other}`,
      ),
    );
    expect(above).toEqual([]);
  });
});

test.each([
  'import { a } from "./x.ts";',
  'import type { A } from "./x.ts";',
  'import "./x.ts";',
  'import { type A } from "./x.ts";',
  'import * as all from "./x.ts";',
  'export { a } from "./x.ts";',
  'export * from "./x.ts";',
  'export type { A } from "./x.ts";',
  'const { a } = await import("./x.ts");',
  'const a: import("./x.ts").A = 1;',
  'type All = typeof import("./x.ts");',
])("%s is an import", (line) => {
  expect(relativeImports("probe.ts", line)).toEqual(["./x.ts"]);
});

test.each(['import { a } from "zod";', 'new URL("./x.ts", import.meta.url);', '// import { a } from "./x.ts";'])(
  "%s is no import of a file",
  (line) => {
    expect(relativeImports("probe.ts", line)).toEqual([]);
  },
);

const graphOf = (edges: Record<string, string[]>): Graph =>
  new Map(Object.entries(edges).map(([name, others]) => [name, new Set(others)]));

test("a circle is found wherever it begins", () => {
  expect(cyclesIn(graphOf({ a: ["b", "c"], b: ["c"], c: [] }))).toEqual([]);
  expect(cyclesIn(graphOf({ a: ["b"], b: ["c"], c: ["d"], d: ["b"] }))).toEqual(["b → c → d → b"]);
  expect(cyclesIn(graphOf({ a: ["a"] }))).toEqual(["a → a"]);
});
