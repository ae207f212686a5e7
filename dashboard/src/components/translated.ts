import { words } from "../words/words.ts";

/**
 * Returns a sentence of the service in the language of the page. A sentence without a translation stays as it is, and
 * before the sign-in no sentence has one.
 */
export function translated(sentence: string): string {
  for (const { pattern, translation } of words.said ?? []) {
    const found = pattern.exec(sentence);
    if (found !== null) return translation.replace(/\{(\d)\}/g, (_, at) => translated(found[Number(at)] ?? ""));
  }
  return sentence;
}
