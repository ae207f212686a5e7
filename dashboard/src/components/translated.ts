import { words } from "../words/words.ts";

/**
 * Returns a sentence of the service in the language of the page; one that has no translation as it is. Before the sign-in
 * there is none.
 */
export function translated(sentence: string): string {
  for (const { pattern, translation } of words.said ?? []) {
    const found = pattern.exec(sentence);
    if (found !== null) return translation.replace(/\{(\d)\}/g, (_, at) => translated(found[Number(at)] ?? ""));
  }
  return sentence;
}
