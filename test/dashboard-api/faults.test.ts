import { describe, expect, test } from "vitest";
import { labelOf, wordsOfFault } from "../../dashboard/src/api/faults.ts";
import { foreign } from "../../dashboard/src/api/refusals.ts";
import { type Language, languages } from "../../dashboard/src/words/language.ts";
import { loadWords, words } from "../../dashboard/src/words/words.ts";
import { type FaultCode, faults } from "../../src/faults.ts";
import { sampleOf } from "../fixtures/fault-samples.ts";

const codes = Object.keys(faults) as FaultCode[];
const numbersIn = (text: string) =>
  [...text.matchAll(/12.?0\d\d/g)].map(([number]) => number.replace(/\D/g, "")).toSorted();

const all = Object.keys(languages) as Language[];

describe.each(all)("in %s", (language) => {
  test("every fault has a sentence that names parameters of the fault alone", async () => {
    await loadWords(["faults"], language);
    for (const code of codes) {
      const { params } = sampleOf(code);
      const sentence = wordsOfFault({ code, params });
      expect(sentence, code).toMatch(/^\p{Lu}/u);
      expect(sentence, code).not.toMatch(/undefined|NaN|\bURLs?\b|IANA|RFC/);
      if (language === "en") expect(sentence, code).not.toMatch(foreign);
      for (const number of numbersIn(sentence)) expect(Object.values(params), code).toContain(Number(number));
    }
  });

  test("a code that is not known here has a sentence, and none is the name of another thing", async () => {
    await loadWords(["faults"], language);
    for (const code of ["of_tomorrow", "labels", "constructor", "toString"]) {
      expect(wordsOfFault({ code, params: {} })).toBe(words.faults.unknown);
    }
  });
});

test("each language names the same parameters", async () => {
  const named = async (language: Language) => {
    await loadWords(["faults"], language);
    return codes.map((code) => [code, ...numbersIn(wordsOfFault({ code, params: sampleOf(code).params }))]);
  };
  for (const language of all) expect(await named(language), language).toEqual(await named("en"));
});

test("a sentence has the numbers of its fault, and no English of the service", async () => {
  await loadWords(["faults"], "en");
  expect(wordsOfFault(faults.too_long_by({ most: 60, length: 71 }))).toBe("This must have at most 60 characters.");
  expect(wordsOfFault(faults.out_of_range({ least: 1, most: 2_419_200 }))).toBe(
    "This must be a whole number from 1 to 2,419,200.",
  );
  expect(wordsOfFault(faults.topic_name_taken({ topic: "Chess" }))).toBe("This is the name of another topic: Chess");
});

test("a field is named as its form names it, and one that no form has is not named", () => {
  expect(labelOf("/imageUrl")).toBe("Picture");
  expect(labelOf("/topicIds/3")).toBe("Topics");
  expect(labelOf("/name")).toBe("Name");
  expect(labelOf("/idempotencyKey")).toBe("");
});
