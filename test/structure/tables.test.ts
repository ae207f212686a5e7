import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderRules } from "./import-rules.ts";
import { src } from "./imports.ts";
import { exceptions, tablesOf, type Use, usesOfTables } from "./tables.ts";

const schema = globSync("db/migrations/**/*.sql", { cwd: src }).map((file) => readFileSync(join(src, file), "utf8"));
const tables = [...schema.join("\n").matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, table]) => table!).sort();
const ownerOf = new Map(Object.entries(tablesOf).flatMap(([folder, own]) => own.map((table) => [table, folder])));

const mayRead = (folder: string, table: string) => folderRules[folder]?.mayImport.includes(ownerOf.get(table)!);

/** Returns whether a folder uses a table of another folder in a way that its rule does not allow. */
const isBeyond = ({ folder, table, isWrite }: Use) =>
  folder !== "erasure" && ownerOf.get(table) !== folder && (isWrite || !mayRead(folder, table));

const isExcepted = ({ folder, table, isWrite }: Use) =>
  exceptions.some((one) => one.folder === folder && (isWrite ? one.writes : one.reads)?.includes(table));

const uses = usesOfTables(tables);

test("every table has one owner", () => {
  expect(Object.values(tablesOf).flat().sort()).toEqual(tables);
});

test("a folder writes its own tables, and reads those of the folders that it may import", () => {
  const refused = uses.filter((use) => isBeyond(use) && !isExcepted(use));
  expect(refused.map(({ file, table, isWrite }) => `${file} ${isWrite ? "writes" : "reads"} ${table}`)).toEqual([]);
});

test("every exception is needed", () => {
  const needed = uses.filter(isBeyond);
  for (const { folder, writes = [], reads = [] } of exceptions) {
    const used = (isWrite: boolean) =>
      new Set(needed.filter((use) => use.folder === folder && use.isWrite === isWrite).map(({ table }) => table));
    expect(writes.filter((table) => !used(true).has(table))).toEqual([]);
    expect(reads.filter((table) => !used(false).has(table))).toEqual([]);
  }
});
