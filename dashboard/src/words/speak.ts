import { type Language, storageKey } from "./language.ts";

/** Keeps a person's choice of language in this browser, and loads the page in that language. */
export function speak(chosen: Language): void {
  localStorage.setItem(storageKey, chosen);
  location.reload();
}
