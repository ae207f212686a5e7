import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readPage } from "./pages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const src = join(root, "src");

/** Paths that the program writes: data of a start, and the built documentation. */
const written = ["./data", "data/setup-link", "site/dist"];
/** A word in capitals stands for a name: `NNNN-name.sql`. */
const placeholder = /[A-Z]{4,}/;

/** Returns the paths between code marks, outside of code blocks. A path has a slash, or the ending of a source file. */
function pathsOf(page: string): string[] {
  const text = page.replace(/^```.*?^```$/gms, "");
  const marked = [...text.matchAll(/`([^`]+)`/g)].map(([, mark]) => mark!);
  const paths = marked.filter(
    (mark) => /^\.?\w[\w.*/-]*$/.test(mark) && /\/|\.(?:tsx?|m?js|json|md|sql|h)$/.test(mark),
  );
  return [...new Set(paths)].filter((path) => !written.includes(path) && !placeholder.test(path));
}

const exists = (path: string) =>
  [root, src].some((folder) =>
    path.includes("*") ? globSync(path, { cwd: folder }).length > 0 : existsSync(join(folder, path)),
  );

test("every path of CONTRIBUTING.md exists, from the repository or from src", async () => {
  const paths = pathsOf(await readPage("CONTRIBUTING.md"));
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});

test("the tree in CONTRIBUTING.md names the folders of src", async () => {
  const tree = (await readPage("CONTRIBUTING.md")).split("```").find((block) => block.includes("main.ts "))!;
  const named = [...tree.matchAll(/(?:^|\s{2})([\w-]+)\/ /gm)].map(([, folder]) => folder!);
  const folders = readdirSync(src, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(named).toEqual(expect.arrayContaining(folders));
});

test("comments of the schema name files that exist", () => {
  const schema = globSync("db/migrations/*/*.sql", { cwd: src }).map((file) => readFileSync(join(src, file), "utf8"));
  const named = schema.flatMap((text) =>
    [...text.matchAll(/\b(?:src|docs)\/[\w/-]+\.(?:ts|md)\b/g)].map(([path]) => path),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !exists(path))).toEqual([]);
});

const writesLedger = /\b(?:insert into|update|delete from)\s+(?:run_batches|run_recipients|run_totals)\b/i;

test("only src/runs/ledger writes batches, recipients and totals of runs", () => {
  const writers = globSync("**/*.ts", { cwd: src }).filter((file) =>
    writesLedger.test(readFileSync(join(src, file), "utf8")),
  );
  const ledger = writers.filter((file) => file.startsWith("runs/ledger/"));
  expect(writers).toEqual(ledger);
  expect(ledger.length).toBeGreaterThanOrEqual(5);
});

test("each page of docs that the program names exists", () => {
  const named = globSync("**/*.ts", { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), "utf8").matchAll(/\bdocs\/[\w/-]+\.md/g)].map(([page]) => page),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((page) => !existsSync(join(root, page)))).toEqual([]);
});
