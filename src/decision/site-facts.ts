import { isBetween, localDay, localTimeOf } from "../local-time.ts";
import type { QuietHours, SiteLimits } from "../tenants/sites/site.ts";

/** The facts of a site that the decision uses. */
export type SiteFacts = SiteLimits & {
  siteId: string;
  /** Reachable subscribers with any of the wanted topics (without topics: all), counted up to a limit. */
  reachable: number;
  reachableExact: boolean;
  /** Names of the wanted topics without subscribers. */
  emptyTopics: string[];
  /** Live sends. */
  sentLast24Hours: number;
  lastSentAt: Date | null;
  /** The last live send of this story, if within the last `storyCooldownDays`. */
  storySentAt: Date | null;
  /** Other stories with the same picture among the site's `recentCampaigns`. */
  otherStoriesWithPicture: number;
};

/** Among so many campaigns of a site a picture is looked for. */
export const recentCampaigns = 200;
/** A picture of so many other stories is what the site shows for want of one. */
const sharedBy = 3;

/**
 * Whether the picture of a story is one that the site gives to many: a logo or a default, which tells readers nothing.
 */
export function isDefaultPicture({ otherStoriesWithPicture }: SiteFacts): boolean {
  return otherStoriesWithPicture >= sharedBy;
}

/** Cooldown of a story: for so many days it is not sent again to the same site, by its canonical URL. */
export const storyCooldownDays = 7;

/** The audience as the preview returns it. Times: ISO-8601, UTC; quiet hours: local, in `timeZone`. */
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
 * Returns whether `now` (ms since 1970) is within the quiet hours of a site. The hour that the end of daylight saving
 * time repeats is quiet both times, or neither.
 */
export function isQuiet(quiet: QuietHours | null, timeZone: string, now: number): boolean {
  if (quiet === null) return false;
  return isBetween(localTimeOf(timeZone, now), quiet.from, quiet.until);
}

/**
 * Returns the local day and time in `timeZone` with the name of the zone: "2026-03-02 11:15 (Europe/Berlin)". `at`: ms
 * since 1970.
 */
export function localMoment(timeZone: string, at: number): string {
  return `${localDay(timeZone, at)} ${localTimeOf(timeZone, at)} (${timeZone})`;
}
