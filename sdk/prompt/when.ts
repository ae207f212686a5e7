import type { Memory } from "../page/memory.ts";
import type { Settings } from "../page/settings.ts";
import { draw } from "./draw.ts";
import { matchesPath } from "./matches-path.ts";
import { createReading, inView } from "./reading.ts";

/** What the page has for it. */
type WaitingPage = { settings(): Promise<Settings>; memory: Memory };

/**
 * Calls `ask` once the reader has had the page in view for as long, and has read as far, as the rule says; not on a page
 * that it leaves out. The path is read then: some pages change it without loading another. Of two prompts draws one
 * before, whose page and visit may be later ones.
 */
export async function whenDue({ settings, memory }: WaitingPage, ask: () => void) {
  const { prompt } = await settings();
  draw(prompt, memory);
  const { pages, visits } = memory.read();
  // Where there is nothing to wait for, nothing is counted, and no comparison with undefined holds.
  if (pages! < prompt.fromPage || visits! < prompt.fromVisit) return;
  const reading = createReading(prompt.scrollPercent);
  await inView(prompt.delaySeconds * 1_000);
  await reading();
  const isHere = (pattern: string) => matchesPath(location.pathname, pattern);
  const { onlyPaths, neverPaths } = prompt;
  if ((onlyPaths.length === 0 || onlyPaths.some(isHere)) && !neverPaths.some(isHere)) ask();
}
