import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { readPage } from "./pages.ts";

const page = await readPage("docs/bad-nights.md");
const sections = page
  .split(/^## /m)
  .slice(1)
  .map((text) => [text.split("\n")[0]!, text] as const);

test.each(sections)("“%s” links tests that exist", (_title, text) => {
  const links = [...text.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, path]) => path!);
  expect(links.length).toBeGreaterThan(0);
  for (const path of links) expect(existsSync(new URL(`../../${path}`, import.meta.url)), path).toBe(true);
});

test("what the page quotes of messages is what the program says", async () => {
  const quotes = {
    "this process does not deliver": "src/delivery/agreement.ts",
    "The database is read-only just now": "src/http/monitoring-routes.ts",
    "No connection is free": "src/cli/explain-error.ts",
  };
  for (const [quote, file] of Object.entries(quotes)) {
    expect(page).toContain(`\`${quote}\``);
    expect(await readPage(file)).toContain(quote);
  }
});
