import { loaded } from "./loaded.ts";

/** Resolves once somebody has looked at the page for so long altogether. A hidden page waits until it is looked at. */
export function inView(ms: number): Promise<void> {
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
export function createReading(percent: number): () => Promise<void> {
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
