import type { Memory } from "../page/memory.ts";
import type { Settings } from "../page/settings.ts";
import { draw } from "./draw.ts";
import { matchesPath } from "./matches-path.ts";
import { createReading, inView } from "./reading.ts";

/** The parts of a page that this needs. */
type WaitingPage = { settings(): Promise<Settings>; memory: Memory };

/**
 * Calls `ask` once the page has been in view for as long as the site's rule says, and the reader has read as far as
 * it says. Does not call it on a path that the rule excludes. Checks the path last, because some pages change it
 * without loading. Before all that, draws one of two compared prompts, because they may wait for different pages and
 * visits.
 */
export async function whenDue({ settings, memory }: WaitingPage, ask: () => void) {
  const { prompt } = await settings();
  draw(prompt, memory);
  const { pages, visits } = memory.read();
  // If there is nothing to wait for, nothing was counted. Comparisons with undefined are false.
  if (pages! < prompt.fromPage || visits! < prompt.fromVisit) return;
  const reading = createReading(prompt.scrollPercent);
  await inView(prompt.delaySeconds * 1_000);
  await reading();
  const isHere = (pattern: string) => matchesPath(location.pathname, pattern);
  const { onlyPaths, neverPaths } = prompt;
  if ((onlyPaths.length === 0 || onlyPaths.some(isHere)) && !neverPaths.some(isHere)) ask();
}
