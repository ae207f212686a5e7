import { createElement, isValidElement } from "react";
import { expect, test } from "vitest";
import { people } from "../../dashboard/src/components/numbers.ts";
import { worthOf } from "../../dashboard/src/components/worth.ts";
import { number, plural, text } from "../../dashboard/src/words/format.ts";
import { loadWords, words } from "../../dashboard/src/words/words.ts";

await loadWords(["pages"], "en");

test("a count has its noun in the form that the number asks for", () => {
  const readers = (n: number) => plural(n, { one: [number(n), " reader"], other: [number(n), " readers"] });
  expect([0, 1, 2, 2_000].map(readers)).toEqual(["0 readers", "1 reader", "2 readers", "2,000 readers"]);
  expect(plural(1, { "=1": ["one entry"], one: ["1 entry"], other: ["entries"] })).toBe("one entry");
  expect([people(1), people(2), people(1, false)]).toEqual(["1 person", "2 people", "over 1 people"]);
});

test("a text with an element in it is an element, and else a text", () => {
  expect(words.pages.created({ when: "today" })).toBe(text(["Created ", "today"]));
  expect(isValidElement(text(["Sent by ", createElement("b", null, "A. Editor")]))).toBe(true);
});

test("the words of a decision agree with the score beside them", () => {
  const said = (score: number) => worthOf({ decision: "send", score });
  expect([0.9, 0.6, 0.55, 0.4, 0.35, 0].map(said)).toEqual([
    ...["Worth sending", "Worth sending", "Worth a second look", "Worth a second look"],
    ...["Hardly worth sending", "Hardly worth sending"],
  ]);
  expect(worthOf({ decision: "skip", score: 0 })).toBe("Better not");
});
