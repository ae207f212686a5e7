import { expect, test } from "vitest";
import { english as wholeEnglish } from "../../dashboard/src/words/english.ts";
import { german as wholeGerman } from "../../dashboard/src/words/german.ts";
import { choose } from "../../dashboard/src/words/language.ts";

type Catalog = { [name: string]: string | Catalog | Catalog[] | ((values: Record<string, unknown>) => string) };

/**
 * Returns each message by its path. A message with values has the names of the values that it uses. Its plural forms
 * count as one message.
 */
function messagesOf(catalog: Catalog | Catalog[], path = ""): [string, string][] {
  return Object.entries(catalog).flatMap(([name, message]): [string, string][] => {
    const at = `${path}/${name}`;
    if (typeof message === "string") return [[at, "text"]];
    return typeof message === "function" ? [[at, valuesOf(message)]] : messagesOf(message, at);
  });
}

function valuesOf(message: (values: Record<string, unknown>) => string): string {
  const used = new Set<string>();
  // Reads both plural forms of each count.
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
const { said: _, ...english } = wholeEnglish;
const { said: __, ...german } = wholeGerman;

test("each language has the same messages, with the same values in them", () => {
  const messages = messagesOf(english as unknown as Catalog);
  expect(messages.length).toBeGreaterThan(1_000);
  expect(Object.fromEntries(messagesOf(german as unknown as Catalog))).toEqual(Object.fromEntries(messages));
});

test("the choice of a person comes first, then what the browser wants, then English", () => {
  expect(choose("de", ["en-US"])).toEqual({ language: "de", locale: "de" });
  expect(choose(null, ["fr", "de-AT", "en"])).toEqual({ language: "de", locale: "de-AT" });
  expect(choose("en", ["de-CH"])).toEqual({ language: "en", locale: "en-GB" });
  expect(choose("tlh", ["fr"])).toEqual({ language: "en", locale: "en-GB" });
});
