import { readFile, writeFile } from "node:fs/promises";

const begin = "<!-- bench: written by npm run bench -- --write -->";
const end = "<!-- /bench -->";

const page = new URL("../docs/performance.md", import.meta.url);

/** Writes `text` between the markers of docs/performance.md. Throws if the page has no markers. */
export async function writeTables(text: string): Promise<void> {
  const before = await readFile(page, "utf8");
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page.pathname} has no lines "${begin}" and "${end}" to write between.`);
  await writeFile(page, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`);
}
