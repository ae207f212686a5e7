import { expect, test } from "vitest";
import { readPage, tableOf } from "./pages.ts";
import { countStyle, newFaults, sentencesOf } from "./style.ts";
import patterns from "./style-patterns.json" with { type: "json" };

test("sentences are read without code, tables, headings and marks of lists", () => {
  const page =
    "# Title\n\nOne `a b c` two. Three\nfour.\n\n- **Five** six\n- [seven](eight.md)\n\n| nine |\n\n```\nten\n```\n";
  expect(sentencesOf(page)).toEqual(["One CODE two.", "Three four.", "Five six", "seven"]);
});

test("a pattern, a long sentence and a long page are faults until they are known", () => {
  const long = `This has ${"many ".repeat(40)}words.`;
  const counts = countStyle(`It stops at once. ${long}`);
  expect(newFaults("a.md", counts)).toEqual([
    "a.md: 1 × /\\bat once\\b/; better: immediately, or at the same time",
    expect.stringMatching(/^a\.md: over 40 words: This has many/),
  ]);
  expect(newFaults("a.md", counts, { patterns: { "\\bat once\\b": 1 }, longSentences: 1 })).toEqual([]);
  expect(newFaults("a.md", countStyle("word ".repeat(1_501)))).toEqual([
    expect.stringContaining("over 40 words"),
    "a.md: 1501 words; at most 1500",
  ]);
});

test("each pattern finds something of the old style, and docs/style.md has twelve pairs", async () => {
  const pairs = tableOf(await readPage("docs/style.md"), ["before", "after"]);
  expect(pairs).toHaveLength(12);
  const after = countStyle(pairs.map((pair) => pair.after).join("\n\n"));
  expect(after.patterns).toEqual({});
  for (const { pattern, better } of patterns) {
    expect(() => new RegExp(pattern)).not.toThrow();
    expect(better).not.toBe("");
  }
});
