import { readFile, writeFile } from "node:fs/promises";

const begin = "<!-- bench: written by npm run bench -- --write -->";
const end = "<!-- /bench -->";

/**
 * Writes `text` between the marks of docs/performance.md, and its first table and last sentence between those of
 * README.md.
 * Throws if a page has no marks.
 */
export async function writeTables(text: string): Promise<void> {
  await replace("../docs/performance.md", text);
  const parts = text.split("\n\n");
  await replace("../README.md", `${parts[0]}\n\n${parts.at(-1)}`);
}

async function replace(path: string, text: string): Promise<void> {
  const file = new URL(path, import.meta.url);
  const page = await readFile(file, "utf8");
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${path} has no lines "${begin}" and "${end}" to write between.`);
  await writeFile(file, `${page.slice(0, before + begin.length)}\n\n${text}\n\n${page.slice(after)}`);
}
