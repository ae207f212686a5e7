import { createHash } from "node:crypto";
import type { App } from "../app.ts";
import type { NudgeFacts } from "../forecast/features.ts";
import { forecast, type Range, strongestCategories, usualClicks } from "../forecast/forecast.ts";
import { clockFacts, learntOfSite } from "../forecast/queries.ts";
import type { SiteFacts } from "./site-facts.ts";

/** What the site's earlier notifications say of a story. Shares are of the readers reached. */
export type ExpectedClicks = {
  clicked: Range;
  /** Of 10,000 readers: how many will be reached is counted up to a limit only. */
  left: number;
  /** The share that clicks any notification of the site. */
  usual: number;
  /** From how many notifications that was learnt. */
  nudges: number;
  /** The categories of the story that move clicks most, at most two. */
  categories: string[];
  /** The score leaves it out. */
  isHeldOut: boolean;
};

/**
 * One story in so many is scored without the history, so that the history does not only learn what it already believes.
 */
const heldOutOneIn = 20;

const leftOf = 10_000;

/** Smaller effects are not worth naming. */
const namedEffect = 0.05;
const namedCategories = 2;

/**
 * What to expect of a story that is sent now; null unless the site's history has proven that it predicts clicks better
 * than their mean does.
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
  // Beyond the limit of the count the range of clicks is a little wider than it need be; its middle is the same.
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

/** Chosen by site and address, so that a story is decided alike each time. */
function isHeldOut(siteId: string, url: string): boolean {
  return createHash("sha256").update(`${siteId} ${url}`).digest().readUInt32BE() % heldOutOneIn === 0;
}
