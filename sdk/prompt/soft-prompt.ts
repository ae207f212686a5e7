import type { State } from "../page/api.ts";
import type { Settings } from "../page/settings.ts";
import { opensAsApp } from "./opens-as-app.ts";
import { type PromptTexts, showPrompt } from "./show-prompt.ts";

/**
 * What the page does for the prompt. `memoryKey`: where all tabs of the site store answers. `mayStay`: whether the prompt
 * may stay after another tab has stored something.
 */
export type AskingPage = {
  memoryKey: string;
  mayStay(): Promise<boolean>;
  answer(accepted: boolean): void;
};

/**
 * Shows the soft prompt, until the reader answers here or in another tab of the site. Returns false while another prompt
 * is open, and if the site has to be installed first and would have no push then either.
 */
export async function showSoftPrompt(settings: Settings, state: State, page: AskingPage): Promise<boolean> {
  if (state === "install" && !(await opensAsApp())) return false;
  const remove = showPrompt(softPromptTexts(settings, state), (accepted) => {
    removeEventListener("storage", onStorage);
    page.answer(accepted);
  });
  // Of another tab of the site.
  const onStorage = async ({ key }: StorageEvent) => {
    if (key !== page.memoryKey || (await page.mayStay())) return;
    removeEventListener("storage", onStorage);
    remove?.();
  };
  if (remove) addEventListener("storage", onStorage);
  return remove !== undefined;
}

/** Returns the site's texts for the prompt; if the site has to be installed first, how to do that. */
export function softPromptTexts({ prompt, preferencesUrl }: Settings, state: State): PromptTexts {
  const { title, install, later } = prompt;
  return state === "install" ? { title, body: install, later } : { ...prompt, preferencesUrl };
}
