/// <reference path="./catalogue.d.ts" />
import { catalogue, type Words } from "virtual:words";
import { type Language, language } from "./language.ts";

export type Folder = keyof Words;

/**
 * The words of the page's language, by folder. A folder is empty until it is loaded. Read words when something is
 * shown, never while a module is loaded.
 */
export const words = {} as Words;

/** The folders that every page needs: the words of API calls and of shared components. `signedOut` has them too. */
const shared: Folder[] = ["api", "components"];

/**
 * Loads the words of these folders. Each folder of each language is its own module, so that a browser loads only one
 * language and only the folders of its pages.
 */
export async function loadWords(folders: Folder[] = [], of: Language = language): Promise<void> {
  const needed = folders.includes("signedOut") ? folders : [...shared, ...folders];
  const loaded = await Promise.all(needed.map((folder) => catalogue[of][folder]()));
  Object.assign(words, ...loaded.map((module) => module.default));
}

/**
 * Returns a function that loads a module together with the words of `folders`: those of its own code, and of
 * everything that it imports. test/dashboard/words-of-pages.test.ts finds missing and needless folders.
 */
export function withWords<Module>(load: () => Promise<Module>, ...folders: Folder[]): () => Promise<Module> {
  return async () => (await Promise.all([load(), loadWords(folders)]))[0];
}
