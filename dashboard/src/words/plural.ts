import { language, locale } from "./language.ts";

const forms = new Intl.PluralRules(language);
const whole = new Intl.NumberFormat(locale);

/** A count with its noun in the form that the number asks for, such as "1 reader" or "2,000 readers". */
export function plural(n: number, one: string, other = `${one}s`): string {
  return `${whole.format(n)} ${formOf(n, one, other)}`;
}

/** The form that a number asks for, without the number. */
export function formOf(n: number, one: string, other: string): string {
  return forms.select(n) === "one" ? one : other;
}
