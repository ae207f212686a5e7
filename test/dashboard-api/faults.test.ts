import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { labelOf, wordsOfFault } from "../../dashboard/src/api/faults.ts";
import { foreign } from "../../dashboard/src/api/refusals.ts";
import { faults as sentences } from "../../dashboard/src/words/en/faults.ts";
import { loadWords } from "../../dashboard/src/words/words.ts";
import { urlRefusals } from "../../src/egress/page/url-guard.ts";

await loadWords(["faults"], "en");

const unknownFault = sentences.unknown;
const sources = new URL("../../src/", import.meta.url);
/**
 * Files whose faults no form of the dashboard can cause: settings, the command line, delivery, readers' browsers, and
 * lines of imported files.
 */
const elsewhere =
  /^(config|errors)\.ts$|^(cli|db|delivery|doctor|egress|mail|readers|receipts|runs)\/|^subscribers\/(subscription|register-subscriber|consent\/|import\/|preferences\/)|^feeds\/items\//;

/** Returns the messages of field faults in the source, with a number for each part that is computed. */
function faultsInSources(): string[] {
  const found = new Set<string>(Object.values(urlRefusals));
  for (const file of readdirSync(sources, { recursive: true }) as string[]) {
    if (!file.endsWith(".ts") || elsewhere.test(file)) continue;
    const text = readFileSync(new URL(file, sources), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    for (const [, , literal] of text.matchAll(/(["`])((?:must|is|has|holds|makes|cannot be others) [^\n]*?[^\\])\1/g)) {
      found.add(literal!.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "12"));
    }
    for (const [, type] of text.matchAll(/expects\("([^"]*)"\)/g)) found.add(`must be ${type}`);
  }
  found.delete("must be 12");
  return [...found].toSorted();
}

const faults = faultsInSources();

test("the faults of the sources are found", () => {
  expect(faults.length).toBeGreaterThan(80);
  expect(faults).toEqual(expect.arrayContaining(["is required", "must be a UUID", "must be at most 100"]));
});

test.each(faults)("“%s” is said in the dashboard's words", (fault) => {
  const words = wordsOfFault(fault);
  expect(words).not.toBe(unknownFault);
  expect(words).toMatch(/^[A-Z]/);
  expect(words).not.toMatch(foreign);
  expect(words).not.toMatch(/\bURLs?\b|IANA|RFC|\$\d/);
});

test("what a fault names stays, and an unknown one is not shown as it is", () => {
  expect(wordsOfFault("must have at most 60 characters, and has 71")).toBe("This must have at most 60 characters.");
  expect(wordsOfFault("must be a whole number from 1 to 2,419,200")).toBe(
    "This must be a whole number from 1 to 2,419,200.",
  );
  expect(wordsOfFault("must be X-rated per RFC 9999")).toBe(unknownFault);
});

test("a field is named as its form names it, and one that no form has is not named", () => {
  expect(labelOf("/imageUrl")).toBe("Picture");
  expect(labelOf("/topicIds/3")).toBe("Topics");
  expect(labelOf("/name")).toBe("Name");
  expect(labelOf("/idempotencyKey")).toBe("");
});
