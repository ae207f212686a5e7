import { localTimeOf } from "../../local-time.ts";
import { isQuiet, localMoment, storyCooldownDays } from "../site-facts.ts";
import type { Check, Effect, Finding, StoryFacts } from "./check.ts";

/**
 * Lowers the score for an editor, who sees the reason and may know better. Blocks for a feed, because no editor
 * decides there.
 */
const softEffects: Effect[] = ["lowers", "blocks"];
function soft({ strict }: StoryFacts, weight: number, message: string): Finding {
  return strict ? { effect: "blocks", message } : { effect: "lowers", weight, message };
}

/** Blocks a story within its cooldown. */
const alreadySent: Check = {
  code: "already_sent",
  effects: ["blocks"],
  when: `the same canonical address was sent live to this site within ${storyCooldownDays} days`,
  find({ site }) {
    if (!site?.storySentAt) return null;
    const at = localMoment(site.timeZone, site.storySentAt.getTime());
    const message = `This story was sent to this site at ${at}. Correct that message, or wait: readers do not want a story twice in ${storyCooldownDays} days.`;
    return { effect: "blocks", message };
  },
};

const noAudience: Check = {
  code: "no_audience",
  effects: softEffects,
  when: "no subscriber has one of the wanted topics and is in the wanted segment",
  find(facts) {
    if (facts.site?.reachable !== 0) return null;
    return soft(
      facts,
      -0.3,
      "No reader would receive this: the site has no subscribers, or none with these topics and in this segment. Choose others.",
    );
  },
};

const emptyTopic: Check = {
  code: "empty_topic",
  effects: ["informs"],
  when: "a wanted topic has no subscribers",
  find({ site }) {
    if (!site || site.emptyTopics.length === 0) return null;
    const names = site.emptyTopics.slice(0, 5).map((name) => `“${name}”`);
    const more = site.emptyTopics.length > 5 ? ` and ${site.emptyTopics.length - 5} more` : "";
    return {
      effect: "informs",
      message: `No reader has subscribed to ${names.join(", ")}${more}. Leave it out, or choose another topic.`,
    };
  },
};

const dailyLimit: Check = {
  code: "daily_limit",
  effects: softEffects,
  when: "the site has sent daily-limit times within 24 hours",
  find(facts) {
    const { site } = facts;
    if (!site || site.dailyLimit === null || site.sentLast24Hours < site.dailyLimit) return null;
    const message = `The site has sent ${site.sentLast24Hours} times within 24 hours, and its limit is ${site.dailyLimit}. Wait, or raise the limit.`;
    return soft(facts, -0.2, message);
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
    const message = `The last send was ${Math.floor(minutes)} minutes ago, and the site waits ${site.minGapMinutes} between two. Send in ${left} minutes.`;
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
    const message = `It is ${localTimeOf(site.timeZone, now)} in ${site.timeZone}, and the site is quiet from ${from} to ${until}. Schedule it for ${until}.`;
    return soft(facts, -0.2, message);
  },
};

/**
 * Checks of the site: the cooldown of the story, the audience and the site's limits. Without a site none of them
 * applies.
 */
export const siteChecks: Check[] = [alreadySent, noAudience, emptyTopic, dailyLimit, minGap, quietHours];
