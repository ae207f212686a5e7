/** The languages whose words of dates are read. The words come from Unicode's CLDR, which Node.js bundles. */
const languages =
  "en en-GB en-AU de de-AT fr fr-CA es es-MX it pt pt-PT nl pl ru uk sv da nb nn fi cs el tr ja zh zh-Hant ko".split(
    " ",
  );

/** Words that CLDR lacks: a German abbreviation that Java and PHP write, and Greek names as they stand alone. */
const more: [word: string, month: number][] = [
  ["mrz", 3],
  ...["ιανουάριος", "φεβρουάριος", "μάρτιος", "απρίλιος", "μάιος", "ιούνιος", "ιούλιος", "αύγουστος", "σεπτέμβριος"]
    .concat("οκτώβριος", "νοέμβριος", "δεκέμβριος")
    .map((name, index): [string, number] => [name, index + 1]),
];

/** The words of dates in all languages. Words are lower case, without dots. */
export type DateWords = {
  /** Returns 1 to 12, or undefined for a word that names no month or several. */
  monthOf(word: string): number | undefined;
  /** Returns 0 (Sunday) to 6, or undefined for a word that names no weekday or several. */
  weekdayOf(word: string): number | undefined;
  /** A pattern of the words for the halves of the day. The first half is its group `am`, the second its group `pm`. */
  halves: string;
};

/** The values of words. Null: the word has several. */
type Table = Map<string, number | null>;

function put(table: Table, word: string, value: number): void {
  const known = table.get(word);
  if (word !== "") table.set(word, known === undefined || known === value ? value : null);
}

/** Returns the word of a date in the form in which it is looked up. */
function bare(word: string): string {
  return word
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\.|\u0307/g, "")
    .trim();
}

/** Returns a word without accents. Many people write like that on keyboards of another language. */
function fold(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss").replaceAll("ı", "i").replaceAll("ł", "l");
}

const umlauts = { ä: "ae", ö: "oe", ü: "ue" } as const;

function spelledOut(word: string): string {
  return word.replace(/[äöü]/g, (letter) => umlauts[letter as keyof typeof umlauts]);
}

/** Collects the words of all languages, which takes some 100 ms. */
export function readDateWords(): DateWords {
  const [months, weekdays]: [Table, Table] = [new Map(), new Map()];
  const longMonths: [word: string, month: number][] = [];
  const halves: [Set<string>, Set<string>] = [new Set(), new Set()];
  for (const language of languages) {
    const { names, weekdayNames, halfNames } = wordsOf(language);
    for (const { word, value, isLong } of names) {
      put(months, word, value);
      if (isLong) longMonths.push([word, value]);
    }
    for (const { word, value } of weekdayNames) put(weekdays, word, value);
    for (const [index, word] of halfNames.entries()) halves[index]!.add(word);
  }
  for (const [word, month] of more) put(months, word, month);
  return {
    monthOf: lookUp([months, ...foldedOf(months), prefixesOf(longMonths)]),
    weekdayOf: lookUp([weekdays, ...foldedOf(weekdays)]),
    halves: `(?:(?<am>${anyOf(halves[0])})|(?<pm>${anyOf(halves[1])}))`,
  };
}

type Word = { word: string; value: number; isLong: boolean };

/**
 * Returns the names of one language, as they stand alone and as they stand within a date. Many languages use the
 * genitive there.
 */
function wordsOf(language: string): { names: Word[]; weekdayNames: Word[]; halfNames: string[] } {
  const [names, weekdayNames]: [Word[], Word[]] = [[], []];
  for (const length of ["long", "short"] as const) {
    const whole = { weekday: length, day: "numeric", month: length, year: "numeric" } as const;
    for (const fields of [{ month: length }, whole]) {
      const format = formatOf(language, fields);
      for (let month = 1; month <= 12; month += 1) {
        const at = Date.UTC(2026, month - 1, month);
        const parts = format.formatToParts(at);
        const [name, weekday] = ["month", "weekday"].map((type) =>
          bare(parts.find((part) => part.type === type)?.value ?? ""),
        );
        // Some languages abbreviate months as numbers. The patterns of days read those.
        if (!/^\d/.test(name!)) names.push({ word: name!, value: month, isLong: length === "long" });
        weekdayNames.push({ word: weekday!, value: new Date(at).getUTCDay(), isLong: length === "long" });
      }
    }
  }
  const clock = formatOf(language, { hour: "numeric", hourCycle: "h12" });
  const halfNames = [9, 15].map(
    (hour) => clock.formatToParts(Date.UTC(2026, 0, 1, hour)).find(({ type }) => type === "dayPeriod")?.value ?? "",
  );
  return { names, weekdayNames, halfNames: halfNames.map((name) => bare(name).replace(/\s/g, "")) };
}

function formatOf(language: string, fields: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, {
    ...fields,
    timeZone: "UTC",
    calendar: "gregory",
    numberingSystem: "latn",
  });
}

function foldedOf(table: Table): Table[] {
  const [folded, spelled]: [Table, Table] = [new Map(), new Map()];
  for (const [word, value] of table) {
    if (value === null) continue;
    put(folded, fold(word), value);
    put(spelled, fold(spelledOut(word)), value);
  }
  return [folded, spelled];
}

/**
 * Returns the abbreviations of three or more letters. Null for an abbreviation that begins the names of several
 * months.
 */
function prefixesOf(names: [word: string, value: number][]): Table {
  const table: Table = new Map();
  for (const [word, value] of names) {
    const letters = [...fold(word)];
    for (let length = 3; length < letters.length; length += 1) put(table, letters.slice(0, length).join(""), value);
  }
  return table;
}

function lookUp(tables: Table[]): (word: string) => number | undefined {
  return (written) => {
    const word = bare(written);
    for (const form of new Set([word, fold(word)])) {
      const table = tables.find((each) => each.has(form));
      if (table !== undefined) return table.get(form) ?? undefined;
    }
    return undefined;
  };
}

/** Returns a pattern of any of the words. It allows dots and spaces between letters: "p. m.". */
function anyOf(words: Set<string>): string {
  const longestFirst = [...words].filter(Boolean).toSorted((a, b) => b.length - a.length);
  return longestFirst.map((word) => `${[...word].join("\\.? ?")}\\.?`).join("|");
}
