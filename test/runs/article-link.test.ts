import { describe, expect, test } from "vitest";
import { addUtm, directionOf } from "../../src/runs/article-link.ts";

const utm = { source: "pressbell", medium: "push", campaign: "breaking" };
const none = { source: null, medium: null, campaign: null };

describe("the campaign parameters of an article's address", () => {
  test.each([
    [
      "https://news.example/a",
      utm,
      "https://news.example/a?utm_source=pressbell&utm_medium=push&utm_campaign=breaking",
    ],
    [
      "https://news.example/a?b=1&sig=%2F+%20#c",
      { ...none, source: "x" },
      "https://news.example/a?b=1&sig=%2F+%20&utm_source=x#c",
    ],
    [
      "https://news.example/a?utm_source=own",
      utm,
      "https://news.example/a?utm_source=own&utm_medium=push&utm_campaign=breaking",
    ],
    ["https://news.example/a?b#c", none, "https://news.example/a?b#c"],
    [
      "https://news.example/a?UTM_SOURCE=own",
      { ...none, source: "x" },
      "https://news.example/a?UTM_SOURCE=own&utm_source=x",
    ],
  ])("of %s", (url, given, wanted) => {
    expect(addUtm(url, given)).toBe(wanted);
  });
});

test.each([
  ["ar", "rtl"],
  ["he-IL", "rtl"],
  ["fa", "rtl"],
  ["ur-PK", "rtl"],
  ["az-Arab", "rtl"],
  ["az", undefined],
  ["de-CH", undefined],
  ["ja", undefined],
  ["und", undefined],
])("%s is told as %s", (language, direction) => {
  expect(directionOf(language)).toBe(direction);
});
