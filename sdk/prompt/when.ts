import type { Memory } from "../page/memory.ts";
import type { Settings } from "../page/settings.ts";
import { draw } from "./draw.ts";
import { loaded } from "./loaded.ts";
import { matchesPath } from "./matches-path.ts";

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

/** Resolves once somebody has looked at the page for so long altogether. A hidden page waits until it is looked at. */
function inView(ms: number): Promise<void> {
  return new Promise((resolve) => {
    let seenMs = 0;
    let fromMs = Date.now();
    let wasHidden = true;
    const look = () => {
      const nowMs = Date.now();
      if (!wasHidden) seenMs += nowMs - fromMs;
      fromMs = nowMs;
      wasHidden = document.hidden;
      if (wasHidden) return;
      if (seenMs < ms) return void setTimeout(look, ms - seenMs);
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

/**
 * Follows how far the reader scrolls. Returns a function that resolves once the share is read. A page that fits the
 * window is read at once, which is known when it has loaded.
 */
function createReading(percent: number): () => Promise<void> {
  let hasRead = percent === 0;
  let tell = () => {};
  const look = () => {
    hasRead ||= depth() * 100 >= percent;
    if (!hasRead) return;
    removeEventListener("scroll", look, true);
    tell();
  };
  // Also of a part of the page that scrolls by itself, which does not bubble.
  if (!hasRead) addEventListener("scroll", look, { capture: true, passive: true });
  return async () => {
    if (hasRead) return;
    await loaded();
    await new Promise<void>((resolve) => {
      tell = resolve;
      look();
    });
  };
}

/** Returns which share of the article, else of the page, is above the lower edge of the window. */
function depth(): number {
  const article = document.querySelector("article h1")?.closest("article");
  const { scrollHeight } = document.scrollingElement ?? document.documentElement;
  const { top, height } = article?.getBoundingClientRect() ?? { top: -scrollY, height: scrollHeight };
  // A page whose article has no height yet is not read.
  return (innerHeight - top) / Math.max(1, height);
}
