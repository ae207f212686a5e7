/**
 * The languages of the dashboard, with their own names and the direction of their text. Nobody who speaks a language
 * has read one that is not reviewed. It says so in its name, and a page has it only if a person chooses it.
 */
export const languages = {
  en: { name: "English", dir: "ltr", isReviewed: true },
  de: { name: "Deutsch", dir: "ltr", isReviewed: true },
  fr: { name: "Français (non relu)", dir: "ltr", isReviewed: false },
  es: { name: "Español (sin revisar)", dir: "ltr", isReviewed: false },
} as const satisfies Record<string, { name: string; dir: "ltr" | "rtl"; isReviewed: boolean }>;

export type Language = keyof typeof languages;

export const storageKey = "pressbell-language";

const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name);
const languageOf = (tag: string) => tag.split("-")[0]!.toLowerCase();

/**
 * Returns the language that a person has chosen (`kept`), or else the first reviewed one that their browser prefers.
 * `locale` is for numbers and dates: the browser's own variant of the language, such as de-AT. For English it is
 * en-GB, with 24 hours.
 */
export function choose(kept: string | null, wanted: readonly string[]): { language: Language; locale: string } {
  const isReviewed = (name: string): name is Language => isLanguage(name) && languages[name].isReviewed;
  const chosen = languageOf(kept ?? "");
  const language = isLanguage(chosen) ? chosen : (wanted.map(languageOf).find(isReviewed) ?? "en");
  if (language === "en") return { language, locale: "en-GB" };
  return { language, locale: wanted.find((tag) => languageOf(tag) === language) ?? language };
}

/** Returns the kept language, or null if there is none or the browser forbids the page to keep anything. */
function readKept(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** The language of this page, which stays the same while it is open. */
export const { language, locale } = choose(readKept(), navigator.languages);

export const otherLanguages = (Object.keys(languages) as Language[]).filter((name) => name !== language);

const names = new Intl.DisplayNames([locale], { type: "language" });

/** Returns the name of a language (BCP 47) in the language of the dashboard, such as "German" for `de`. */
export const nameOfLanguage = (tag: string): string => names.of(tag) ?? tag;
