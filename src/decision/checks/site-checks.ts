import { localTimeOf } from "../../local-time.ts";
import type { Message } from "../../messages.ts";
import { decisionMessages as messages } from "../messages.ts";
import { isQuiet, localMoment, storyCooldownDays } from "../site-facts.ts";
import type { Check, Effect, Finding, StoryFacts } from "./check.ts";

/**
 * Lowers the score for an editor, who sees the reason and may know better. Blocks for a feed, because no editor
 * decides there.
 */
const softEffects: Effect[] = ["lowers", "blocks"];
function soft({ strict }: StoryFacts, weight: number, message: Message): Finding {
  return strict ? { effect: "blocks", message } : { effect: "lowers", weight, message };
}

/** Blocks a story within its cooldown. */
const alreadySent: Check = {
  code: "already_sent",
  effects: ["blocks"],
  when: `the same canonical address was sent live to this site within ${storyCooldownDays} days`,
  find({ site }) {
    if (!site?.storySentAt) return null;
    const { day, time, zone } = localMoment(site.timeZone, site.storySentAt.getTime());
    return { effect: "blocks", message: messages.story_sent_before({ day, time, zone, days: storyCooldownDays }) };
  },
};

const noAudience: Check = {
  code: "no_audience",
  effects: softEffects,
  when: "no subscriber has one of the wanted topics and is in the wanted segment",
  find(facts) {
    if (facts.site?.reachable !== 0) return null;
    return soft(facts, -0.3, messages.audience_empty());
  },
};

const emptyTopic: Check = {
  code: "empty_topic",
  effects: ["informs"],
  when: "a wanted topic has no subscribers",
  find({ site }) {
    if (!site || site.emptyTopics.length === 0) return null;
    const shown = site.emptyTopics.slice(0, 5).map((name) => `“${name}”`);
    const n = site.emptyTopics.length - shown.length;
    const names = n === 0 ? shown.join(", ") : messages.names_and_more({ names: shown.join(", "), n });
    return { effect: "informs", message: messages.topics_empty({ names }) };
  },
};

const dailyLimit: Check = {
  code: "daily_limit",
  effects: softEffects,
  when: "the site has sent daily-limit times within 24 hours",
  find(facts) {
    const { site } = facts;
    if (!site || site.dailyLimit === null || site.sentLast24Hours < site.dailyLimit) return null;
    return soft(facts, -0.2, messages.site_daily_limit({ n: site.sentLast24Hours, limit: site.dailyLimit }));
  },
};

const minGap: Check = {
  code: "min_gap",
  effects: softEffects,
  when: "the last send is fewer than min-gap-minutes ago",
  find(facts, now) {
    const { site } = facts;
    if (!site || site.minGapMinutes === null || site.lastSentAt === null) return null;
    const minutes = Math.max(0, (now - site.lastSentAt.getTime()) / 60_000);
    if (minutes >= site.minGapMinutes) return null;
    const left = Math.ceil(site.minGapMinutes - minutes);
    const message = messages.site_min_gap({ minutes: Math.floor(minutes), gap: site.minGapMinutes, left });
    return soft(facts, -0.2, message);
  },
};

const quietHours: Check = {
  code: "quiet_hours",
  effects: softEffects,
  when: "it is within quiet-hours in the site's time zone",
  find(facts, now) {
    const { site } = facts;
    if (!site?.quietHours || !isQuiet(site.quietHours, site.timeZone, now)) return null;
    const { from, until } = site.quietHours;
    const time = localTimeOf(site.timeZone, now);
    return soft(facts, -0.2, messages.site_quiet({ time, zone: site.timeZone, from, until }));
  },
};

/**
 * Checks of the site: the cooldown of the story, the audience and the site's limits. Without a site none of them
 * applies.
 */
export const siteChecks: Check[] = [alreadySent, noAudience, emptyTopic, dailyLimit, minGap, quietHours];
