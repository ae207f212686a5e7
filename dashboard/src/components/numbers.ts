const whole = new Intl.NumberFormat("en");
const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

export const count = (n: number) => whole.format(n);

/** Formats a count; if it is not exact, as "over 1,000". */
export const countOf = (n: number, exact: boolean) => (exact ? count(n) : `over ${count(n)}`);

export const people = (n: number, exact = true) => `${countOf(n, exact)} ${n === 1 && exact ? "person" : "people"}`;

export const share = (part: number, whole: number) => percents.format(whole === 0 ? 0 : part / whole);
