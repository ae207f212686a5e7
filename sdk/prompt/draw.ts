import type { Memory } from "../page/memory.ts";
import type { Settings } from "../page/settings.ts";

/**
 * Draws which of two prompts that the site compares the reader sees, and puts it in the place of the site's own. The draw
 * stays in the browser for the whole comparison. A page that asks before the reader has agreed to store anything draws
 * for itself.
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
