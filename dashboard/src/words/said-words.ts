import { language } from "./language.ts";
import { loadWords } from "./words.ts";

/**
 * Loads the words for the service's sentences if an answer has one. `answer`: JSON. They are many, and most pages have
 * none. English has none, because the service says it in English.
 */
export async function loadSaidWords(answer: string): Promise<void> {
  if (language === "en" || !/"messageCode":\s*"/.test(answer)) return;
  // Without them, the sentence is shown in English.
  await loadWords(["said"]).catch(() => {});
}
