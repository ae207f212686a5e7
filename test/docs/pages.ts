import { readFile } from "node:fs/promises";

/** Reads a page. `path`: from the root of the project. */
export function readPage(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), "utf8");
}

/**
 * Returns the rows of the first table with these columns, by column name and without code marks. Throws if there is
 * none.
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
