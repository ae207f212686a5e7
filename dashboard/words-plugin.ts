import { readdirSync, readFileSync } from "node:fs";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";

/** The texts of a language, as its JSON file has them: by folder and name, in ICU's format. */
export type Texts = { [name: string]: string | Texts | Texts[] };

const folder = new URL("src/words/", import.meta.url);
const format = new URL("format.ts", folder).pathname;

/** Returns the languages that have a file, such as "en". */
export function languagesWithTexts(): string[] {
  return readdirSync(folder).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -".json".length)] : []));
}

/** Reads the texts of a language. */
export function readTexts(language: string): Record<string, Texts> {
  return JSON.parse(readFileSync(new URL(`${language}.json`, folder), "utf8"));
}

/** Parses a text. Throws a SyntaxError that names its fault. */
export const parseText = (text: string): MessageFormatElement[] => parse(text, { ignoreTag: true });

/** Folders that a folder's module has too, so that the pages before the sign-in have all their words in one script. */
const insideOf: Record<string, string[]> = { signedOut: ["api", "components"] };

const catalogue = "virtual:words";
const moduleOfFolder = /^virtual:words\/(\w+)\/(\w+)$/;

/**
 * Compiles the texts of the languages to modules, one for each folder of each language, so that a browser parses none.
 * `virtual:words` has a function for each that loads it. English has no `said`: the service says it in English.
 */
export function wordsPlugin(): Plugin {
  return {
    name: "words",
    resolveId: (id) => (id.startsWith(catalogue) ? `\0${id}` : null),
    load(resolved) {
      const id = resolved.slice(1);
      if (id === catalogue) return moduleOfAll();
      const [, language, name] = moduleOfFolder.exec(id) ?? [];
      if (language === undefined || name === undefined) return null;
      this.addWatchFile(new URL(`${language}.json`, folder).pathname);
      const all: Record<string, Texts> = { ...readTexts(language), ...(language === "en" && { said: {} }) };
      const folders = [name, ...(insideOf[name] ?? [])].map((one) => `${one}: ${codeOf(all[one]!)}`);
      return `import { choice, number, plural, text } from ${JSON.stringify(format)};\nexport default { ${folders.join(",\n")} };\n`;
    },
  };
}

function moduleOfAll(): string {
  const languages = languagesWithTexts().map((language) => {
    const folders = Object.keys(readTexts(language)).map(
      (name) => `${name}: () => import("${catalogue}/${language}/${name}")`,
    );
    return `${language}: { ${folders.join(", ")} }`;
  });
  return `export const catalogue = { ${languages.join(", ")} };\n`;
}

/**
 * Returns the code of texts: a string for a text without parameters, and else a function of them. Throws an Error for
 * what is not compiled, such as a date.
 */
export function codeOf(texts: Texts[string]): string {
  if (Array.isArray(texts)) return `[${texts.map(codeOf).join(", ")}]`;
  if (typeof texts === "object") {
    const members = Object.entries(texts).map(([name, text]) => `${JSON.stringify(name)}: ${codeOf(text)}`);
    return `{ ${members.join(",\n")} }`;
  }
  const elements = parseText(texts);
  if (elements.every(({ type }) => type === TYPE.literal)) return JSON.stringify(elements.map(literalOf).join(""));
  return `(p) => text(${codeOfParts(elements)})`;
}

const literalOf = (element: MessageFormatElement) => ("value" in element ? element.value : "");

/** `counted`: the parameter of the plural around the elements. */
function codeOfParts(elements: MessageFormatElement[], counted = ""): string {
  return `[${elements.map((element) => codeOfPart(element, counted)).join(", ")}]`;
}

function codeOfPart(element: MessageFormatElement, counted: string): string {
  if (element.type === TYPE.literal) return JSON.stringify(element.value);
  if (element.type === TYPE.pound) return `number(p.${counted})`;
  if (element.type === TYPE.argument) return `p.${element.value}`;
  if (element.type === TYPE.number && !element.style) return `number(p.${element.value})`;
  const isPlural = element.type === TYPE.plural && element.pluralType === "cardinal" && element.offset === 0;
  if (!isPlural && element.type !== TYPE.select)
    throw new Error(`Only plurals, choices and numbers are compiled: ${JSON.stringify(element)}`);
  const forms = Object.entries(element.options).map(
    ([name, { value }]) => `${JSON.stringify(name)}: ${codeOfParts(value, isPlural ? element.value : counted)}`,
  );
  return `${isPlural ? "plural" : "choice"}(p.${element.value}, { ${forms.join(", ")} })`;
}
