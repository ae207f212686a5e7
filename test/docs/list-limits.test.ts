import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { readPage } from "./pages.ts";

/** Files of src whose lists only the operator writes: settings, and the head of a backup. */
const ofOperator = ["config.ts", "backup/records.ts"];

type List = { file: string; limit: string };

/** Returns the text in the brackets that open at `open`, and the position of their end. */
function inBrackets(text: string, open: number): { inside: string; end: number } {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return { inside: text.slice(open + 1, at), end: at + 1 };
  }
  throw new Error(`brackets do not close: ${text.slice(open, open + 100)}`);
}

/**
 * Returns the limit of a list that a schema reads, as the code names it: the value of `max`, or the set of its values.
 */
function limitOf(text: string, open: number): string {
  let { inside, end } = inBrackets(text, open);
  if (/^\s*(z\.enum|oneOf|oneOfMany)\(/.test(inside)) return "values";
  for (;;) {
    const call = /^\s*\.(\w+)\(/.exec(text.slice(end));
    if (call === null) return "none";
    ({ inside, end } = inBrackets(text, end + call[0].length - 1));
    if (call[1] === "max") return inside.split(",")[0]!.trim();
  }
}

/** Returns every list of the schemas of `src/`: of bodies, queries and files that people send. */
async function listsOfSchemas(): Promise<List[]> {
  const names = await readdir(new URL("../../src/", import.meta.url), { recursive: true });
  const files = names.filter((name) => name.endsWith(".ts") && !ofOperator.includes(name));
  const lists: List[] = [];
  for (const file of files) {
    const text = await readPage(`src/${file}`);
    for (const { index, 0: found } of text.matchAll(/\.array\(/g))
      lists.push({ file, limit: limitOf(text, index + found.length - 1) });
  }
  return lists;
}

test("every list that a schema reads has a limit, whose value is held to docs/limits.md", async () => {
  const lists = (await listsOfSchemas()).filter(({ limit }) => limit !== "values");
  expect(lists.length).toBeGreaterThan(12);
  const held = await readPage("test/docs/limits.test.ts");
  const isHeld = ({ limit }: List) => /^max[A-Z]\w+$/.test(limit) && new RegExp(`\\b${limit}\\b`).test(held);
  expect(lists.filter((list) => !isHeld(list))).toEqual([]);
});
