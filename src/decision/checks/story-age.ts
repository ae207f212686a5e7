import type { StoryFacts } from "./check.ts";

/** A moment that a page gives without time or offset leaves a day of doubt; only positive evidence counts. */
export const dateToleranceHours = 24;
/** Clocks differ. */
export const clockToleranceHours = 0.25;

const hourMs = 3_600_000;

/** The age that counts: of the publication, and of a live blog's last change. Below zero for what is to come. */
export function storyAgeHours(
  { article, signals }: Pick<StoryFacts, "article" | "signals">,
  now: number,
): number | null {
  const published = hoursSince(article.publishedAt, now);
  const changed = signals?.live ? hoursSince(signals.modifiedAt, now) : null;
  return published !== null && changed !== null && changed >= 0 ? Math.min(published, changed) : published;
}

export function hoursSince(at: string | null, now: number): number | null {
  return at === null ? null : (now - Date.parse(at)) / hourMs;
}
