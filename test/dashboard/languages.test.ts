import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { choose, languages } from "../../dashboard/src/words/language.ts";
import { codeOf, languagesWithTexts, parseText, readTexts, type Texts } from "../../dashboard/words-plugin.ts";
import { paramsOf, typesOfWords, writeTypes } from "../../dashboard/write-word-types.ts";

/** Returns each text by its path, with the parameters that it names. */
function paramsByPath(texts: Texts[string], path = ""): Record<string, string> {
  if (typeof texts === "string")
    return {
      [path]: Object.keys(paramsOf(parseText(texts)))
        .toSorted()
        .join(" "),
    };
  return Object.assign({}, ...Object.entries(texts).map(([name, text]) => paramsByPath(text, `${path}/${name}`)));
}

const english = paramsByPath(readTexts("en"));

test("every language of the dashboard has a file", () => {
  expect(languagesWithTexts().toSorted()).toEqual(Object.keys(languages).toSorted());
  expect(Object.keys(english).length).toBeGreaterThan(1_800);
});

test.each(Object.keys(languages))("%s has the same texts, with the same parameters in them", (language) => {
  expect(paramsByPath(readTexts(language))).toEqual(english);
});

test.each(["{n, selectordinal, other {#}}", "{n, plural, offset:1 other {#}}", "{n, number, percent}", "{at, date}"])(
  "the build refuses %s, which it cannot compile",
  (text) => {
    expect(() => codeOf(text)).toThrow("Only plurals, choices and numbers are compiled");
  },
);

test("the types of the words are those of the English texts", () => {
  // The formatter sets line breaks, quotes and last commas.
  const unformatted = (text: string) => text.replace(/[\s|";,]/g, "");
  expect(unformatted(readFileSync(typesOfWords, "utf8"))).toBe(unformatted(writeTypes()));
});

test("the choice of a person comes first, then what the browser wants, then English", () => {
  expect(choose("de", ["en-US"])).toEqual({ language: "de", locale: "de" });
  expect(choose(null, ["fr", "de-AT", "en"])).toEqual({ language: "de", locale: "de-AT" });
  expect(choose("en", ["de-CH"])).toEqual({ language: "en", locale: "en-GB" });
  expect(choose("tlh", ["fi"])).toEqual({ language: "en", locale: "en-GB" });
});

test("a language that is not reviewed comes only by a person's choice", () => {
  expect(choose("fr", ["fr-CA"])).toEqual({ language: "fr", locale: "fr-CA" });
  expect(choose(null, ["es", "en"])).toEqual({ language: "en", locale: "en-GB" });
});
