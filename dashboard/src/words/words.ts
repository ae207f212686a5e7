import { type Language, language } from "./language.ts";

type Words = typeof import("./english.ts").english;
export type Folder = keyof Words;

/**
 * The words of the language of this page, by folder; a folder is empty until it is loaded. Read them where something is
 * shown, never while a module is loaded.
 */
export const words = {} as Words;

/** What every page needs: refusals, and the shared components. */
const shared: Folder[] = ["api", "components"];

/** Each folder of each language is a file of its own: a browser loads one language, and of it what its pages need. */
export async function loadWords(folders: Folder[] = [], of: Language = language): Promise<void> {
  const load = async (folder: Folder) => {
    const file = folder.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return { [folder]: (await import(`./${of}/${file}.ts`))[folder] };
  };
  Object.assign(words, ...(await Promise.all([...shared, ...folders].map(load))));
}

/**
 * Returns what loads a module together with the words of `folders`: those of its own code, and of all that it imports.
 * test/dashboard/words-of-pages.test.ts says what is missing, or needless.
 */
export function withWords<Module>(load: () => Promise<Module>, ...folders: Folder[]): () => Promise<Module> {
  return async () => (await Promise.all([load(), loadWords(folders)]))[0];
}
