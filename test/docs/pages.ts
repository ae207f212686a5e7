import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Returns the paths of all pages, relative to the root of the project, sorted. */
export function pagesOfProject(): string[] {
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  return ["*.md", "docs/**/*.md"].flatMap((pattern) => globSync(pattern, { cwd })).toSorted();
}

/** Reads a page. `path` is relative to the root of the project. */
export function readPage(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), "utf8");
}

/**
 * Returns the rows of the first table with these columns, by column name and without code marks. Throws if there is no
 * such table.
 */
export function tableOf(page: string, columns: string[]): Record<string, string>[] {
  const lines = page.split("\n");
  const at = lines.findIndex((line) => cellsOf(line).join() === columns.join());
  if (at < 0) throw new Error(`the page has no table with the columns ${columns.join(", ")}`);
  const rest = lines.slice(at + 2);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return (end < 0 ? rest : rest.slice(0, end)).map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""]));
  });
}

function cellsOf(line: string): string[] {
  const cells = line.split("|").slice(1, -1);
  return cells.map((cell) => cell.trim().replace(/^`([^`]*)`$/, "$1"));
}

/**
 * One entry of a page's list of names: "- `name` (value): text", or "… : text → second", wrapped over any number of
 * lines. Several names before one value, separated by commas, are separate entries.
 */
export type Entry = { name: string; value: string; text: string; second: string };

/** Returns the entries of a page's list of names, in order. Code marks around a value are removed. */
export function entriesOf(page: string): Entry[] {
  const items = page.replace(/\n {2}/g, " ").matchAll(/^- (`\w+`(?:, `\w+`)*) \(([^)]*)\): (.*)$/gm);
  return [...items].flatMap(([, names, value, rest]) => {
    const [text, second = ""] = rest!.split(" → ");
    const shown = value!.replace(/^(?:default )?`?([^`]*)`?$/, "$1");
    return names!.split(", ").map((name) => ({ name: name.slice(1, -1), value: shown, text: text!, second }));
  });
}

/**
 * One entry of a page's list of limits: "- what: 1,000", or "- what: 1,000 → beyond". It may be wrapped over any number
 * of lines.
 */
export type LimitEntry = { of: string; atMost: string; beyond: string };

/** Returns the entries of a page's list of limits, in order. */
export function limitEntriesOf(page: string): LimitEntry[] {
  const items = page.replace(/\n {2}/g, " ").matchAll(/^- (.*): ([\d,]+)(?: → (.+))?$/gm);
  return [...items].map(([, of, atMost, beyond = ""]) => ({ of: of!, atMost: atMost!, beyond }));
}
