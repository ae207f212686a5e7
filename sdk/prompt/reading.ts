import { loaded } from "./loaded.ts";

/** Resolves once the page has been in view for `ms` altogether. Time in which the page is hidden does not count. */
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
 * Follows how far the reader scrolls. Returns a function that waits for the page to load, and resolves once the
 * reader has read the share. A page that fits the window counts as read at once.
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
  // Scroll events do not bubble, so the listener captures them. Otherwise it would miss a part of the page that
  // scrolls by itself.
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

/**
 * Returns which share of the article is above the lower edge of the window. Without an article, returns the share of
 * the page.
 */
function depth(): number {
  const article = document.querySelector("article h1")?.closest("article");
  const { scrollHeight } = document.scrollingElement ?? document.documentElement;
  const { top, height } = article?.getBoundingClientRect() ?? { top: -scrollY, height: scrollHeight };
  // An article without a height yet does not count as read.
  return (innerHeight - top) / Math.max(1, height);
}
