import { expect, test } from "vitest";
import { wordsFor } from "../../src/tenants/sites/prompt-languages.ts";

const languages = {
  de: { title: "de" },
  "de-AT": { title: "de-AT" },
  "pt-BR": { title: "pt-BR" },
  "zh-Hant": { title: "zh" },
};

test.each([
  ["de", "de"],
  ["DE", "de"],
  ["de-CH", "de"],
  ["de_DE", "de"],
  ["de-at", "de-AT"],
  ["de-AT-1996", "de-AT"],
  ["pt-BR", "pt-BR"],
  ["pt", undefined],
  ["zh-Hant-TW", "zh"],
  ["den", undefined],
  ["", undefined],
  ["constructor", undefined],
  ["{{ lang }}", undefined],
  ["-".repeat(100_000), undefined],
])("a page in %s gets the words of %s", (named, title) => {
  expect(wordsFor(languages, named.slice(0, 200_000)).title).toBe(title);
});
