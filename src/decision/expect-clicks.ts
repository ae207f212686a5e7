import { createHash } from "node:crypto";
import type { App } from "../app.ts";
import type { NudgeFacts } from "../forecast/features.ts";
import { forecast, type Range, strongestCategories, usualClicks } from "../forecast/forecast.ts";
import { clockFacts, learntOfSite } from "../forecast/queries.ts";
import type { SiteFacts } from "./site-facts.ts";

/** What the site's earlier notifications tell about a story. Shares are shares of the readers reached. */
export type ExpectedClicks = {
  clicked: Range;
  /** The readers who leave, out of 10,000. The number of readers reached is only counted up to a limit. */
  left: number;
  /** The share of readers that clicks a usual notification of the site. */
  usual: number;
  /** The number of notifications from which the forecast was learnt. */
  nudges: number;
  /** The categories of the story that move clicks most, at most two. */
  categories: string[];
  /** Whether the score leaves the forecast out. */
  isHeldOut: boolean;
};

/**
 * One story in this number is scored without the history, so that the history does not only learn what it already
 * believes.
 */
const heldOutOneIn = 20;

const leftOf = 10_000;

/** The smallest effect of a category that is named. */
const namedEffect = 0.05;
const namedCategories = 2;

/**
 * Returns what to expect of a story that is sent now. Null unless the site's history has proven that it predicts
 * clicks better than their mean.
 */
export async function expectClicks(
  { db }: Pick<App, "db">,
  { siteId, timeZone, lastSentAt, reachable }: SiteFacts,
  story: Pick<NudgeFacts, "title" | "url" | "hasImage" | "topicIds">,
  now: number,
): Promise<ExpectedClicks | null> {
  const learnt = (await learntOfSite(db, siteId))?.learnt;
  if (!learnt?.evaluation.isUsed) return null;
  const hoursSinceLast = lastSentAt === null ? null : Math.max(0, now - lastSentAt.getTime()) / 3_600_000;
  const facts = { ...story, ...clockFacts(timeZone, now), hoursSinceLast };
  // If the count stopped at its limit, the range of clicks is a little too wide. Its middle is right.
  const { clicked, left } = forecast(learnt, facts, reachable);
  const strongest = strongestCategories(learnt, facts).filter(({ effect }) => Math.abs(effect) >= namedEffect);
  return {
    clicked,
    left: Math.round(left.middle * leftOf),
    usual: usualClicks(learnt),
    nudges: learnt.evaluation.nudges,
    categories: strongest.slice(0, namedCategories).map(({ name }) => name),
    isHeldOut: isHeldOut(siteId, story.url),
  };
}

/**
 * Returns whether a story is scored without the history. Depends on site and address, so that a story always gets the
 * same decision.
 */
function isHeldOut(siteId: string, url: string): boolean {
  return createHash("sha256").update(`${siteId} ${url}`).digest().readUInt32BE() % heldOutOneIn === 0;
}
