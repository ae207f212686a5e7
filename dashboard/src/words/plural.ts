import { language, locale } from "./language.ts";

const forms = new Intl.PluralRules(language);
const whole = new Intl.NumberFormat(locale);

/** Returns a count with its noun in the right form, such as "1 reader" or "2,000 readers". */
export function plural(n: number, one: string, other = `${one}s`): string {
  return `${whole.format(n)} ${formOf(n, one, other)}`;
}

/** Returns the form of a noun that fits a number, without the number. */
export function formOf(n: number, one: string, other: string): string {
  return forms.select(n) === "one" ? one : other;
}
