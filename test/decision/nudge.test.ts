import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxBodyLength, maxTitleLength, writeNudge } from "../../src/decision/nudge.ts";
import { countCodePoints, cutAtWord } from "../../src/decision/text.ts";
import { cleanText } from "../../src/reading/text.ts";

const article = {
  title: "Tram line extended",
  description: "Two new stops.",
  imageUrl: "https://images.example.com/t.jpg",
};

describe("writeNudge", () => {
  test("writes the article's title, description and picture", () => {
    expect(writeNudge(article)).toEqual({
      title: article.title,
      body: article.description,
      imageUrl: article.imageUrl,
    });
  });

  test("prefers the caller's texts, cleaned, and treats empty texts and nulls as not given", () => {
    const given = { title: " Free\ttoday\u202e ", body: "Cafe\u0301", imageUrl: "https://a.example/b.png" };
    expect(writeNudge(article, given)).toEqual({
      title: "Free today",
      body: "Café",
      imageUrl: "https://a.example/b.png",
    });
    expect(writeNudge(article, { title: " ", body: null, imageUrl: null })).toEqual(writeNudge(article));
  });

  test("clears the picture for an empty imageUrl", () => {
    expect(writeNudge(article, { imageUrl: "" }).imageUrl).toBeNull();
  });

  test("has nulls where neither the article nor the caller has a text", () => {
    const nothing = { title: null, description: null, imageUrl: null };
    expect(writeNudge(nothing)).toEqual({ title: null, body: null, imageUrl: null });
  });

  test("cuts the article's texts to their limits", () => {
    const long = "word ".repeat(400).trim();
    const { title, body } = writeNudge({ ...article, title: long, description: long });
    expect([title, body].map((text) => text?.slice(-6))).toEqual([" word…", " word…"]);
    expect(countCodePoints(title!)).toBeLessThanOrEqual(maxTitleLength);
    expect(countCodePoints(body!)).toBeLessThanOrEqual(maxBodyLength);
  });
});

describe("cutAtWord", () => {
  test.each([
    ["exactly long enough", 19, "exactly long enough"],
    ["one word more than fits here", 20, "one word more than…"],
    ["the comma goes, before the dots", 16, "the comma goes…"],
    ["ends at a space here", 15, "ends at a…"],
    ["ends here at", 10, "ends here…"],
    ["Donaudampfschifffahrtsgesellschaft", 11, "Donaudampf…"],
    ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 16, "👩‍👩‍👧‍👦👩‍👩‍👧‍👦…"],
    ["𝒜𝒜𝒜𝒜", 3, "𝒜𝒜…"],
  ])("%s at %d", (text, limit, expected) => {
    expect(cutAtWord(text, limit)).toBe(expected);
  });

  test("cuts Japanese between words", () => {
    const cut = cutAtWord("新しい橋の建設を市議会が可決しました", 10);
    expect(countCodePoints(cut)).toBeLessThanOrEqual(10);
    expect(cut).toMatch(/^新しい橋の.*…$/);
  });

  test("never exceeds the limit, and returns a well-formed beginning of the text", () => {
    const texts = fc.string({ unit: "grapheme", maxLength: 400 }).map(cleanText);
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 240 }), (text, limit) => {
        const cut = cutAtWord(text, limit);
        expect(countCodePoints(cut)).toBeLessThanOrEqual(limit);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut === text || text.startsWith(cut.slice(0, -1))).toBe(true);
      }),
    );
  });
});

describe("cleanText", () => {
  test.each([
    ["  both ends \u00a0", "both ends"],
    ["one\r\ntwo\tthree\u2028four", "one two three four"],
    ["a\u0000b\u0007c\u007fd\u009fe", "abcde"],
    ["\u202egnp.exe\u202c \u2066x\u2069", "gnp.exe x"],
    ["e\u0301", "é"],
    ["inner   spaces stay", "inner   spaces stay"],
    ["\u05d0\u200f and 👩‍🚒 stay", "\u05d0\u200f and 👩‍🚒 stay"],
    ["\ud800", "\ufffd"],
    ["\ufeff\u0001 \u202e", ""],
  ])("%j becomes %j", (text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  test("changes nothing the second time", () => {
    const once = fc.string({ unit: "binary" }).map(cleanText);
    fc.assert(fc.property(once, (text) => void expect(cleanText(text)).toBe(text)));
  });
});

test("countCodePoints counts code points, not units", () => {
  expect(["", "a", "é", "👩‍🚒", "𝒜"].map(countCodePoints)).toEqual([0, 1, 1, 3, 1]);
});
