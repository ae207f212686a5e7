import { describe, expect, test } from "vitest";
import { addToFragment, addUtm, directionOf } from "../../src/runs/article-link.ts";

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

describe("the token of a click", () => {
  test.each([
    ["https://news.example/a", "https://news.example/a#pressbell-T"],
    ["https://news.example/a?b=1", "https://news.example/a?b=1#pressbell-T"],
    ["https://news.example/a#c", "https://news.example/a#c-pressbell-T"],
    ["https://news.example/#/story", "https://news.example/#/story?pressbell-T"],
    ["https://news.example/#!story?b=1", "https://news.example/#!story?b=1&pressbell-T"],
    ["https://news.example/a#:~:text=bridge", "https://news.example/a#pressbell-T:~:text=bridge"],
    ["https://news.example/a#c:~:text=bridge", "https://news.example/a#c-pressbell-T:~:text=bridge"],
  ])("stands in the fragment of %s", (url, wanted) => {
    expect(addToFragment(url, "pressbell-T")).toBe(wanted);
  });

  test("leaves fifty readers one address, which one cached page answers", () => {
    const opened = Array.from({ length: 50 }, (_, i) =>
      addToFragment("https://news.example/a?b=1#c", `pressbell-${i}`),
    );
    expect(new Set(opened).size).toBe(50);
    expect(new Set(opened.map((url) => url.split("#")[0]))).toEqual(new Set(["https://news.example/a?b=1"]));
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
