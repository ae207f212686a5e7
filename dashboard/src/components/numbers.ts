import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";

const whole = new Intl.NumberFormat(locale);
const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });

const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** Formats a number with at most one decimal. */
export const decimal = (n: number) => tenths.format(n);

const signedTenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** Formats a difference with its sign and at most one decimal. */
export const signed = (n: number) => signedTenths.format(n);

export const count = (n: number) => whole.format(n);

/** Formats a count. If it is not exact, the words are such as "over 1,000". */
export const countOf = (n: number, exact: boolean) => (exact ? count(n) : words.components.over({ count: count(n) }));

export const people = (n: number, exact = true) =>
  exact ? words.components.people({ n }) : words.components.overPeople({ count: count(n) });

export const share = (part: number, whole: number) => percents.format(whole === 0 ? 0 : part / whole);
