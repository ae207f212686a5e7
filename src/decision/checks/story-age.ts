import type { StoryFacts } from "./check.ts";

/**
 * The tolerance for a date without a time or an offset. Such a date may be wrong by a day, and only positive evidence
 * blocks.
 */
export const dateToleranceHours = 24;
/** The tolerance for the difference between the clocks of two machines. */
export const clockToleranceHours = 0.25;

const hourMs = 3_600_000;

/**
 * Returns the age of a story in hours. It is negative for a date in the future, and null if the page gives no date.
 * The age of a live blog counts from its last change.
 */
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
