import { expect, test } from "vitest";
import { people } from "../../dashboard/src/components/numbers.ts";
import { worthOf } from "../../dashboard/src/components/worth.ts";
import { plural } from "../../dashboard/src/words/plural.ts";
import { loadWords } from "../../dashboard/src/words/words.ts";

await loadWords([], "en");

test("a count has its noun in the form that the number asks for", () => {
  expect([0, 1, 2, 2_000].map((n) => plural(n, "reader"))).toEqual([
    "0 readers",
    "1 reader",
    "2 readers",
    "2,000 readers",
  ]);
  expect([1, 21].map((n) => plural(n, "entry", "entries"))).toEqual(["1 entry", "21 entries"]);
  expect([people(1), people(2), people(1, false)]).toEqual(["1 person", "2 people", "over 1 people"]);
});

test("the words of a decision agree with the score beside them", () => {
  const said = (score: number) => worthOf({ decision: "send", score });
  expect([0.9, 0.6, 0.55, 0.4, 0.35, 0].map(said)).toEqual([
    ...["Worth sending", "Worth sending", "Worth a second look", "Worth a second look"],
    ...["Hardly worth sending", "Hardly worth sending"],
  ]);
  expect(worthOf({ decision: "skip", score: 0 })).toBe("Better not");
});
