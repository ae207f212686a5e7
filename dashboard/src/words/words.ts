import { type Language, language } from "./language.ts";

type Words = typeof import("./english.ts").english;
export type Folder = keyof Words;

/**
 * The words of the page's language, by folder. A folder is empty until it is loaded. Read words when something is
 * shown, never while a module is loaded.
 */
export const words = {} as Words;

/** The folders that every page needs: the words of API calls and of shared components. */
const shared: Folder[] = ["api", "components"];

/**
 * Loads the words of these folders. Each folder of each language is its own file, so that a browser loads only one
 * language and only the folders of its pages.
 */
export async function loadWords(folders: Folder[] = [], of: Language = language): Promise<void> {
  const load = async (folder: Folder) => {
    const file = folder.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return { [folder]: (await import(`./${of}/${file}.ts`))[folder] };
  };
  Object.assign(words, ...(await Promise.all([...shared, ...folders].map(load))));
}

/**
 * Returns a function that loads a module together with the words of `folders`: those of its own code, and of
 * everything that it imports. test/dashboard/words-of-pages.test.ts finds missing and needless folders.
 */
export function withWords<Module>(load: () => Promise<Module>, ...folders: Folder[]): () => Promise<Module> {
  return async () => (await Promise.all([load(), loadWords(folders)]))[0];
}
