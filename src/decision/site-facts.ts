import { isBetween, localDay, localTimeOf } from "../local-time.ts";
import type { QuietHours, SiteLimits } from "../tenants/sites/site.ts";

/** The facts of a site that the decision uses. */
export type SiteFacts = SiteLimits & {
  siteId: string;
  /** Reachable subscribers with any of the wanted topics, counted up to a limit. Without topics: all subscribers. */
  reachable: number;
  reachableExact: boolean;
  /** Names of the wanted topics without subscribers. */
  emptyTopics: string[];
  /** The number of live sends. */
  sentLast24Hours: number;
  lastSentAt: Date | null;
  /** The time of the last live send of this story, if it was within the last `storyCooldownDays`. */
  storySentAt: Date | null;
  /** The number of other stories with the same picture among the site's `recentCampaigns`. */
  otherStoriesWithPicture: number;
};

/** The number of a site's latest campaigns that are searched for the same picture. */
export const recentCampaigns = 200;
/** If at least this number of other stories have a picture, it is one that the site shows when it has no better one. */
const sharedBy = 3;

/**
 * Returns whether the picture of a story is one that the site gives to many stories: a logo or a default, which tells
 * readers nothing.
 */
export function isDefaultPicture({ otherStoriesWithPicture }: SiteFacts): boolean {
  return otherStoriesWithPicture >= sharedBy;
}

/**
 * The cooldown of a story. In this number of days a story with the same canonical URL is not sent to the same site
 * again.
 */
export const storyCooldownDays = 7;

/** The audience as the preview returns it. Times: ISO-8601, UTC. Quiet hours: local, in `timeZone`. */
export type Audience = {
  siteId: string;
  reachable: number;
  /** False: there are more than `reachable`. */
  reachableExact: boolean;
  sentLast24Hours: number;
  dailyLimit: number | null;
  lastSentAt: string | null;
  minGapMinutes: number | null;
  quietNow: boolean;
  quietHours: QuietHours | null;
  timeZone: string;
  storySentAt: string | null;
};

export function viewAudience(facts: SiteFacts, now: number): Audience {
  const { siteId, reachable, reachableExact, sentLast24Hours, dailyLimit, minGapMinutes, quietHours, timeZone } = facts;
  return {
    siteId,
    reachable,
    reachableExact,
    sentLast24Hours,
    dailyLimit,
    minGapMinutes,
    lastSentAt: facts.lastSentAt?.toISOString() ?? null,
    quietNow: isQuiet(quietHours, timeZone, now),
    quietHours,
    timeZone,
    storySentAt: facts.storySentAt?.toISOString() ?? null,
  };
}

/**
 * Returns whether `now` (ms since 1970) is within the quiet hours of a site. When daylight saving time ends, an hour
 * repeats. It is quiet both times or neither time.
 */
export function isQuiet(quiet: QuietHours | null, timeZone: string, now: number): boolean {
  if (quiet === null) return false;
  return isBetween(localTimeOf(timeZone, now), quiet.from, quiet.until);
}

/** Returns the local day and time in `zone` for a message: "2026-03-02", "11:15". `at`: ms since 1970. */
export function localMoment(zone: string, at: number): { day: string; time: string; zone: string } {
  return { day: localDay(zone, at), time: localTimeOf(zone, at), zone };
}
