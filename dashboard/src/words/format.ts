import { createElement, Fragment, type ReactNode } from "react";
import { language, locale } from "./language.ts";

/*
 * What the compiled texts call (words-plugin.ts). A part of a text is a text, a count, or an element such as a name in
 * bold.
 */

const forms = new Intl.PluralRules(language);
const whole = new Intl.NumberFormat(locale);

/** Joins the parts of a text. Elements among them make the whole an element. */
export function text(parts: ReactNode[]): ReactNode {
  return parts.some((part) => typeof part === "object") ? createElement(Fragment, null, ...parts) : parts.join("");
}

/** Formats a count, such as "2,000". */
export const number = (n: number): string => whole.format(n);

/** Returns the form of a text that fits a number: that of the very number (`=1`), or of its kind in the language. */
export function plural(n: number, texts: Record<string, ReactNode[]>): ReactNode {
  return text(texts[`=${n}`] ?? texts[forms.select(n)] ?? texts.other!);
}

/** Returns the form of a text for a name, such as a status. */
export function choice(name: string, texts: Record<string, ReactNode[]>): ReactNode {
  return text(texts[name] ?? texts.other!);
}
