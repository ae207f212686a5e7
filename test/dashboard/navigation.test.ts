import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const sources = new URL("../../dashboard/src/", import.meta.url).pathname;
const replacements = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .flatMap((name) => {
    const calls = readFileSync(join(sources, name), "utf8").matchAll(/navigate\(\{[^;]*?\breplace: true[^;]*;/g);
    return [...calls].map(([call]) => [name, call] as const);
  });

test("the pages change their own address", () => {
  expect(replacements.length).toBeGreaterThanOrEqual(4);
});

test.each(replacements)("%s does not scroll when it changes the address of its page", (_, call) => {
  expect(call).toContain("resetScroll: false");
});
