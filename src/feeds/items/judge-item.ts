import type { Reason } from "../../decision/checks/check.ts";
import type { CategoryTopic } from "../feed.ts";

/** What an item is judged by before its page is read. Times: ms since 1970. */
export type ItemFacts = {
  url: string | null;
  categories: string[];
  publishedMs: number | null;
  foundMs: number;
  feed: { topics: CategoryTopic[]; unmatched: "skip" | "everyone"; hourlyCap: number; dailyCap: number };
  /** Campaigns of this feed that have gone out. */
  sends: { hour: number; day: number };
  /** The site's limit. */
  freshnessHours: number;
  /** What it waits for, if it does: said again when it has waited too long. */
  waitingFor: Reason[];
};

export type ItemVerdict = { kind: "go"; url: string; topicIds: string[] } | { kind: "skip"; reasons: Reason[] };

const hourMs = 3_600_000;

/**
 * Whether an item is a matter for the content decision at all: it has an address, is fresh by its feed's account and
 * has not waited too long, has a topic, and the feed's caps leave room. `nowMs`: ms since 1970.
 */
export function judgeItem(facts: ItemFacts, nowMs: number): ItemVerdict {
  const topicIds = topicsOf(facts);
  const reasons = [tooOld(facts, nowMs), capReached(facts)].filter((reason) => reason !== null);
  if (facts.url === null) reasons.unshift(blocks("no_link", "The item has no link to a page. Add one to the feed."));
  if (topicIds === null) {
    const named = facts.categories.map((category) => `“${category}”`).join(", ") || "none";
    reasons.push(
      blocks(
        "no_topic",
        `The feed's rules have no topic for its categories (${named}). Add one, or send such items to everyone.`,
      ),
    );
  }
  if (facts.url === null || topicIds === null || reasons.length > 0) return { kind: "skip", reasons };
  return { kind: "go", url: facts.url, topicIds };
}

export function blocks(code: string, message: string): Reason {
  return { code, effect: "blocks", message };
}

/** The topics of an item by its categories; an empty list is everyone, null nobody. */
function topicsOf({ categories, feed }: Pick<ItemFacts, "categories" | "feed">): string[] | null {
  if (feed.topics.length === 0) return [];
  const named = new Set(categories.map(folded));
  const topicIds = feed.topics.filter(({ category }) => named.has(folded(category))).map(({ topicId }) => topicId);
  if (topicIds.length > 0) return [...new Set(topicIds)];
  return feed.unmatched === "everyone" ? [] : null;
}

/** Feeds write the same category in one case and another. */
function folded(category: string): string {
  return category.normalize("NFKC").trim().toLowerCase();
}

/** A date that is still to come is a clock that is wrong: then it counts from when it was found. */
function tooOld({ publishedMs, foundMs, freshnessHours, waitingFor }: ItemFacts, nowMs: number): Reason | null {
  const sinceMs = Math.min(publishedMs ?? foundMs, foundMs);
  if (nowMs - sinceMs <= freshnessHours * hourMs) return null;
  if (waitingFor.length === 0) {
    const date = new Date(sinceMs).toISOString();
    return blocks("too_old", `The feed dates the item ${date}, older than ${freshnessHours} hours.`);
  }
  const what = waitingFor.map(({ message }) => message).join(" ");
  return blocks("waited_too_long", `It waited until it was older than ${freshnessHours} hours. ${what}`);
}

function capReached({ feed, sends }: ItemFacts): Reason | null {
  const raise = "Raise the cap if readers want more.";
  if (sends.hour >= feed.hourlyCap) {
    return blocks(
      "feed_hourly_cap",
      `The feed has sent ${sends.hour} nudges within the hour, and its cap is ${feed.hourlyCap}. ${raise}`,
    );
  }
  if (sends.day < feed.dailyCap) return null;
  return blocks(
    "feed_daily_cap",
    `The feed has sent ${sends.day} nudges within 24 hours, and its cap is ${feed.dailyCap}. ${raise}`,
  );
}
