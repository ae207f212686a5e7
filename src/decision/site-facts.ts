import type { QuietHours, SiteLimits } from "../tenants/sites/site.ts";

/** What is known of a site when a story is judged for it. */
export type SiteFacts = SiteLimits & {
  siteId: string;
  /** Subscribers with one of the wanted topics (all where none is wanted), counted at most to a limit. */
  reachable: number;
  reachableExact: boolean;
  /** Names of the wanted topics that nobody has. */
  emptyTopics: string[];
  /** Live sends. */
  sentLast24Hours: number;
  lastSentAt: Date | null;
  /** When this story went out last, within the last `storyCooldownDays`. */
  storySentAt: Date | null;
};

/** How long the same story is not sent again. */
export const storyCooldownDays = 7;

/** The audience as preview shows it. Times: ISO-8601, UTC; quiet hours: local, in `timeZone`. */
export type Audience = {
  siteId: string;
  reachable: number;
  /** False: there are more than `reachable`. */
  reachableExact: boolean;
  sentLast24Hours: number;
  dailyCap: number | null;
  lastSentAt: string | null;
  minGapMinutes: number | null;
  quietNow: boolean;
  quietHours: QuietHours | null;
  timeZone: string;
  storySentAt: string | null;
};

export function viewAudience(facts: SiteFacts, now: number): Audience {
  const { siteId, reachable, reachableExact, sentLast24Hours, dailyCap, minGapMinutes, quietHours, timeZone } = facts;
  return {
    ...{ siteId, reachable, reachableExact, sentLast24Hours, dailyCap, minGapMinutes },
    lastSentAt: facts.lastSentAt?.toISOString() ?? null,
    ...{ quietNow: isQuiet(quietHours, timeZone, now), quietHours, timeZone },
    storySentAt: facts.storySentAt?.toISOString() ?? null,
  };
}

/** Is it quiet at `now` by the site's clock? The hour that summer time repeats is quiet both times, or neither. */
export function isQuiet(quiet: QuietHours | null, timeZone: string, now: number): boolean {
  if (quiet === null) return false;
  const time = localTime(timeZone, now);
  const { from, until } = quiet;
  return from < until ? from <= time && time < until : from <= time || time < until;
}

/** `HH:MM` on the clocks of `timeZone`. */
export function localTime(timeZone: string, now: number): string {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return clock.format(now);
}
