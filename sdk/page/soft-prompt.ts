import { count } from "../wire.ts";
import { attempt, type PageContext } from "./context.ts";
import { loadPart } from "./load-part.ts";
import { readState } from "./state.ts";
import { postpone, subscribe } from "./subscribe.ts";

/**
 * Shows the soft prompt until the reader answers here or in another tab of the site. Returns false if there is
 * nothing to ask in the browser's state, if installing the site would not help, and in a frame, because only the top
 * page asks.
 */
export async function showSoftPrompt(context: PageContext): Promise<boolean> {
  const state = await readState(context);
  if (state === "denied" || state === "unsupported") context.emit(state);
  if (top !== self || (state !== "unsubscribed" && state !== "install")) return false;
  const settings = await context.settings();
  const { showSoftPrompt } = await loadPart(context, "prompt");
  const shown = await showSoftPrompt(settings, state, {
    memory: context.memory,
    mayStay: () => mayPrompt(context),
    answer: (accepted) =>
      void attempt<unknown>(context, accepted ? subscribe(context, {}, settings.prompt.version) : postpone(context)),
  });
  if (shown) count(context.snippet, "prompted", shown);
  return state !== "install" || shown === true;
}

/**
 * Returns whether the page may show the soft prompt by itself. It may not for some days after "later", and never
 * after an unsubscribe. This does not check whether the browser can store the answer, because that check writes to
 * the storage.
 */
export async function mayPrompt(context: PageContext): Promise<boolean> {
  const state = await readState(context);
  const { askAgainAt = 0, left } = context.memory.read();
  const isOpen = state === "unsubscribed" || state === "install";
  return isOpen && !left && Date.now() >= askAgainAt;
}
