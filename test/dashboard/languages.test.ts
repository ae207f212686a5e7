import { expect, test } from "vitest";
import { first as firstGerman } from "../../dashboard/src/words/de/first.ts";
import { rest as restGerman } from "../../dashboard/src/words/de/rest.ts";
import { first as firstEnglish } from "../../dashboard/src/words/en/first.ts";
import { rest as restEnglish } from "../../dashboard/src/words/en/rest.ts";
import { choose } from "../../dashboard/src/words/language.ts";

type Catalog = { [name: string]: string | Catalog | Catalog[] | ((values: Record<string, unknown>) => string) };

/** Each message by its path; of one with values, the names of those that it uses. Plural forms count as one use. */
function messagesOf(catalog: Catalog | Catalog[], path = ""): [string, string][] {
  return Object.entries(catalog).flatMap(([name, message]): [string, string][] => {
    const at = `${path}/${name}`;
    if (typeof message === "string") return [[at, "text"]];
    return typeof message === "function" ? [[at, valuesOf(message)]] : messagesOf(message, at);
  });
}

function valuesOf(message: (values: Record<string, unknown>) => string): string {
  const used = new Set<string>();
  // Of each count both forms are read.
  for (const value of [1, 2]) {
    const get = (_: object, name: string) => {
      used.add(name);
      return value;
    };
    message(new Proxy({}, { get }) as Record<string, unknown>);
  }
  return [...used].toSorted().join(" ");
}

// `said` translates the sentences of the service, which are English.
const { said: _, ...othersEnglish } = restEnglish;
const { said: __, ...othersGerman } = restGerman;
const english = messagesOf({ ...firstEnglish, ...othersEnglish } as unknown as Catalog);
const german = messagesOf({ ...firstGerman, ...othersGerman } as unknown as Catalog);

test("each language has the same messages, with the same values in them", () => {
  expect(english.length).toBeGreaterThan(1_000);
  expect(Object.fromEntries(german)).toEqual(Object.fromEntries(english));
});

test("the choice of a person comes first, then what the browser wants, then English", () => {
  expect(choose("de", ["en-US"])).toEqual({ language: "de", locale: "de" });
  expect(choose(null, ["fr", "de-AT", "en"])).toEqual({ language: "de", locale: "de-AT" });
  expect(choose("en", ["de-CH"])).toEqual({ language: "en", locale: "en-GB" });
  expect(choose("tlh", ["fr"])).toEqual({ language: "en", locale: "en-GB" });
});
