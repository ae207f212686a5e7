import { type Language, storageKey } from "./language.ts";

/** Keeps the choice of a person in this browser, and loads the page in that language. */
export function speak(chosen: Language): void {
  localStorage.setItem(storageKey, chosen);
  location.reload();
}
