import { expect, test } from "vitest";
import { readPage, tableOf } from "./pages.ts";

/** Returns the strings of a union of literals, or the names of an object type, from the source of `file`. */
async function namesOf(file: string, type: string): Promise<string[]> {
  const source = await readPage(file);
  const [, body] = new RegExp(`export type ${type} = ([^;{]+;|\\{.*?\\n\\};)`, "s").exec(source)!;
  const pattern = body!.startsWith("{") ? /^ {2}(\w+)[:(<]/gm : /"(\w+)"/g;
  return [...body!.matchAll(pattern)].map(([, name]) => name!);
}

test.each([
  ["state", ["state", "meaning", "what the page can do"], "sdk/page/api.ts", "State"],
  ["event", ["event", "when, and its detail"], "sdk/page/api.ts", "Events"],
  ["reason", ["reason", "what has failed", "what to look at"], "sdk/page/failure.ts", "Reason"],
])("docs/sdk.md lists every %s that the loader has, and no other", async (name, columns, file, type) => {
  const listed = tableOf(await readPage("docs/sdk.md"), columns).map((row) => row[name]);
  const names = await namesOf(file, type);
  expect(names.length).toBeGreaterThan(4);
  expect(listed.toSorted()).toEqual(names.toSorted());
});

test("docs/sdk.md has an example of each call", async () => {
  const page = await readPage("docs/sdk.md");
  const examples = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code).join("");
  for (const call of await namesOf("sdk/page/api.ts", "Pressbell")) expect(examples).toContain(`pressbell.${call}(`);
});
