import type { State } from "./api.ts";
import { attempt, type PageContext } from "./context.ts";
import { isPrompted, type PromptTexts, showPrompt } from "./prompt.ts";
import type { Settings } from "./settings.ts";
import { readState } from "./state.ts";
import { postpone, subscribe } from "./subscribe.ts";

/** Shows the soft prompt. Returns false if the browser's state leaves nothing to ask. */
export async function showSoftPrompt(context: PageContext): Promise<boolean> {
  const state = await readState(context);
  if (state === "denied" || state === "unsupported") context.emit(state);
  if (state !== "unsubscribed" && state !== "install") return false;
  const texts = softPromptTexts(await context.settings(), state);
  if (!isPrompted())
    showPrompt(texts, (accepted) => attempt<unknown>(context, (accepted ? subscribe : postpone)(context)));
  return true;
}

/**
 * Returns whether the page may show the soft prompt by itself. After "later" it may not for some days, and after an
 * unsubscribe never again.
 */
export function mayPrompt({ memory }: PageContext, state: State): boolean {
  const { askAgainAt = 0, left } = memory.read();
  return (state === "unsubscribed" || state === "install") && !left && Date.now() >= askAgainAt;
}

/** Returns the site's texts for the prompt; if the site has to be installed first, how to do that. */
export function softPromptTexts({ prompt }: Settings, state: State): PromptTexts {
  const { title, body, accept, later, install } = prompt;
  if (state !== "install") return { title, body, accept, later };
  return { title, body: install, later };
}
