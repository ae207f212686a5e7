import type { PromptTexts } from "../prompt/main.ts";
import { count } from "../wire.ts";
import type { State } from "./api.ts";
import { attempt, type PageContext } from "./context.ts";
import { loadPrompt } from "./load-prompt.ts";
import type { Settings } from "./settings.ts";
import { readState } from "./state.ts";
import { postpone, subscribe } from "./subscribe.ts";

/**
 * Shows the soft prompt, until the reader answers here or in another tab of the site. Returns false if the browser's
 * state leaves nothing to ask, and in a frame: only the top page asks.
 */
export async function showSoftPrompt(context: PageContext): Promise<boolean> {
  const state = await readState(context);
  if (state === "denied" || state === "unsupported") context.emit(state);
  if (top !== self || (state !== "unsubscribed" && state !== "install")) return false;
  const settings = await context.settings();
  const texts = softPromptTexts(settings, state);
  const showPrompt = await loadPrompt(context);
  const remove = showPrompt(texts, (accepted) => {
    removeEventListener("storage", onStorage);
    attempt<unknown>(context, accepted ? subscribe(context, {}, settings.prompt.version) : postpone(context));
  });
  // Of another tab of the site.
  const onStorage = async ({ key }: StorageEvent) => {
    if (key !== context.memory.key || (await mayPrompt(context))) return;
    removeEventListener("storage", onStorage);
    remove?.();
  };
  if (remove) {
    count(context.snippet, "prompted");
    addEventListener("storage", onStorage);
  }
  return true;
}

/**
 * Returns whether the page may show the soft prompt by itself. After "later" it may not for some days, and after an
 * unsubscribe never again.
 */
export async function mayPrompt(context: PageContext): Promise<boolean> {
  const state = await readState(context);
  const { askAgainAt = 0, left } = context.memory.read();
  return (state === "unsubscribed" || state === "install") && !left && Date.now() >= askAgainAt;
}

/** Returns the site's texts for the prompt; if the site has to be installed first, how to do that. */
export function softPromptTexts({ prompt, preferencesUrl }: Settings, state: State): PromptTexts {
  const { title, install, later } = prompt;
  return state === "install" ? { title, body: install, later } : { ...prompt, preferencesUrl };
}
