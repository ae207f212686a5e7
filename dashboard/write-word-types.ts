import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type MessageFormatElement, TYPE } from "@formatjs/icu-messageformat-parser";
import { languagesWithTexts, parseText, readTexts, type Texts } from "./words-plugin.ts";

/** The file with the types of the words. */
export const typesOfWords = new URL("src/words/catalogue.d.ts", import.meta.url);

/** Returns the types of the English texts. The texts of all other languages have the same. */
export function writeTypes(): string {
  const { said: _, ...texts } = readTexts("en");
  return `// Written by dashboard/write-word-types.ts from en.json: \`npm run format\`.
declare module "virtual:words" {
import type { ReactNode } from "react";

/** A text with parameters. It is an element if one of them is. */
type Say<Params extends Record<string, ReactNode>> = <Given extends Params>(
  params: Given,
) => Given[keyof Params] extends string | number ? string : ReactNode;

export type Words = ${typeOf(texts).replace(/}$/, "")}
/** The service's messages by code. English has none. */
"said": Record<string, string | ((params: Record<string, string | number>) => string)>;
};

/** The functions that load the words, by language and folder. */
export const catalogue: Record<
  ${languagesWithTexts()
    .map((language) => `"${language}"`)
    .join(" | ")},
  Record<keyof Words, () => Promise<{ default: Partial<Words> }>>
>;
}
`;
}

function typeOf(texts: Texts[string]): string {
  if (Array.isArray(texts)) return `[${texts.map(typeOf).join(", ")}]`;
  if (typeof texts === "object") {
    const members = Object.entries(texts).map(([name, text]) => `${JSON.stringify(name)}: ${typeOf(text)};`);
    return `{\n${members.join("\n")}\n}`;
  }
  const params = Object.entries(paramsOf(parseText(texts)));
  if (params.length === 0) return "string";
  return `Say<{ ${params.map(([name, type]) => `${name}: ${type}`).join("; ")} }>`;
}

/** Returns the parameters of a text, each with its type. A counted parameter is a number. */
export function paramsOf(elements: MessageFormatElement[]): Record<string, "number" | "string" | "ReactNode"> {
  return Object.assign(
    {},
    ...elements.map((element) => {
      if (element.type === TYPE.argument) return { [element.value]: "ReactNode" };
      if (element.type === TYPE.number) return { [element.value]: "number" };
      if (element.type !== TYPE.plural && element.type !== TYPE.select) return {};
      const inForms = Object.values(element.options).map(({ value }) => paramsOf(value));
      return Object.assign({}, ...inForms, {
        [element.value]: element.type === TYPE.plural ? "number" : "string",
      });
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(typesOfWords, writeTypes());
