const whole = new Intl.NumberFormat("en");
const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

export const count = (n: number) => whole.format(n);

/** Formats a count; if it is not exact, as "over 1,000". */
export const countOf = (n: number, exact: boolean) => (exact ? count(n) : `over ${count(n)}`);

const forms = new Intl.PluralRules("en");

/** A count with its noun in the form that the number asks for, such as "1 reader" or "2,000 readers". */
export function plural(n: number, one: string, other = `${one}s`): string {
  return `${count(n)} ${forms.select(n) === "one" ? one : other}`;
}

export const people = (n: number, exact = true) =>
  exact ? plural(n, "person", "people") : `${countOf(n, exact)} people`;

export const share = (part: number, whole: number) => percents.format(whole === 0 ? 0 : part / whole);
