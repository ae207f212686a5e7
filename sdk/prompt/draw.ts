import type { Memory } from "../page/memory.ts";
import type { Settings } from "../page/settings.ts";

/**
 * Draws one of the two prompts that the site compares, and replaces the site's own prompt with it. The browser stores
 * the draw for the whole comparison. If the reader has not yet agreed to store anything, the draw holds for this page
 * only.
 */
export function draw(prompt: Settings["prompt"], memory: Memory): void {
  const { compared, consent } = prompt;
  if (!compared) return;
  const { since, prompts } = compared;
  let { drawn } = memory.read();
  if (drawn?.since !== since) drawn = { since, place: Math.round(Math.random()) };
  if (!consent) memory.write({ drawn });
  prompt.compared = null;
  Object.assign(prompt, prompts[drawn.place]);
}
