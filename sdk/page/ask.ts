import { accept, decline } from "./accept.ts";
import type { State } from "./api.ts";
import { isPrompted, type PromptTexts, showPrompt } from "./prompt.ts";
import type { Settings } from "./settings.ts";
import { readState } from "./state.ts";
import { attempt, type World } from "./world.ts";

/** Shows the soft prompt, in which nothing is decided yet. False where there is nothing to ask. */
export async function ask(world: World): Promise<boolean> {
  const state = await readState(world);
  if (state === "denied" || state === "unsupported") world.emit(state);
  if (state !== "unsubscribed" && state !== "install") return false;
  const texts = softTexts(await world.settings(), state);
  if (!isPrompted()) showPrompt(texts, (accepted) => attempt<unknown>(world, (accepted ? accept : decline)(world)));
  return true;
}

/** Whether a reader may be asked unasked: who said "later" is left in peace for some days, who left for good. */
export function mayAsk({ memory }: World, state: State): boolean {
  const { askAgainAt = 0, left } = memory.read();
  return (state === "unsubscribed" || state === "install") && !left && Date.now() >= askAgainAt;
}

/** The site's own texts; where it has to be installed first, how that is done. */
export function softTexts({ prompt }: Settings, state: State): PromptTexts {
  const { title, body, accept, later, install } = prompt;
  if (state !== "install") return { title, body, accept, later };
  return { title, body: install, later };
}
