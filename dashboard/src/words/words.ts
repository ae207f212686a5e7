import { type Language, language } from "./language.ts";

type First = typeof import("./en/first.ts").first;
type Rest = typeof import("./en/rest.ts").rest;

/** Each part of each language is a file of its own: a browser loads one language, and signed out only the first part. */
const files: Record<Language, { first: () => Promise<First>; rest: () => Promise<Rest> }> = {
  en: {
    first: async () => (await import("./en/first.ts")).first,
    rest: async () => (await import("./en/rest.ts")).rest,
  },
  de: {
    first: async () => (await import("./de/first.ts")).first,
    rest: async () => (await import("./de/rest.ts")).rest,
  },
};

/**
 * The words of the language of this page, by folder. Empty until they are loaded: read them where something is shown,
 * never while a module is loaded.
 */
export const words = {} as First & Rest;

/** Loads what the pages need before the sign-in, and what all pages share. Wait for it before anything is shown. */
export async function loadFirstWords(of: Language = language): Promise<void> {
  Object.assign(words, await files[of].first());
}

/** Loads what the pages need after the sign-in. */
export async function loadWords(of: Language = language): Promise<void> {
  Object.assign(words, ...(await Promise.all([files[of].first(), files[of].rest()])));
}
