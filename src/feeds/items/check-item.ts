import { type Reason, reasonOf } from "../../decision/checks/check.ts";
import type { Message } from "../../messages.ts";
import type { FeedRecord } from "../feed.ts";
import { feedMessages as messages } from "../messages.ts";
import { leadsTo } from "../web-address.ts";

/** The facts that decide whether an item's page is read at all. Times: ms since 1970. */
export type ItemFacts = {
  url: string | null;
  /** The hosts that the item may lead to: the site's own host, then the hosts that the feed allows. */
  hosts: string[];
  categories: string[];
  publishedMs: number | null;
  foundMs: number;
  feed: Pick<FeedRecord, "suggest" | "topics" | "unmatched" | "atLimit" | "hourlyLimit" | "dailyLimit">;
  /** The number of this feed's campaigns sent within the last hour and day, or suggested if the feed suggests. */
  sends: { hour: number; day: number };
  /** The site's limit for the age of a story. */
  freshnessHours: number;
  /** The reasons why the item waits, if it does. They are repeated when it has waited too long. */
  waitingFor: Reason[];
};

/** The result of the feed's own checks. `afterMs`: the time until a waiting item is checked again. */
export type ItemVerdict =
  | { kind: "go"; url: string; topicIds: string[] }
  | { kind: "skip"; reasons: Reason[] }
  | { kind: "wait"; reasons: Reason[]; afterMs: number };

const hourMs = 3_600_000;
/** The pause before an item that waits for a limit, a gap or the end of quiet hours is checked again. */
export const limitAfterMs = 60_000;

/**
 * Makes the feed's own checks, which come before the content decision. The item must have a link to an allowed host,
 * be fresh by the feed's date, not have waited too long, have a topic, not be dated in the future, and be within the
 * feed's limits. Returns its URL and topics (an empty list is everyone), all reasons to skip it, or the reasons why it
 * waits. `nowMs`: ms since 1970 by the database's clock, which also sets the times when items were found.
 */
export function checkItem(facts: ItemFacts, nowMs: number): ItemVerdict {
  const topicIds = topicsOf(facts);
  const embargo = checkEmbargo(facts, nowMs);
  const limit = embargo === null ? checkLimits(facts) : null;
  const reasons = [checkHost(facts), checkAge(facts, nowMs)].filter((reason) => reason !== null);
  if (limit !== null && facts.feed.atLimit === "skip") reasons.push(limit);
  if (facts.url === null) reasons.unshift(blocks("no_link", messages.item_no_link()));
  if (topicIds === null) {
    const named = facts.categories.map((category) => `“${category}”`).join(", ");
    reasons.push(blocks("no_topic", messages.item_no_topic({ categories: named || messages.item_no_categories() })));
  }
  if (facts.url === null || topicIds === null || reasons.length > 0) return { kind: "skip", reasons };
  if (embargo !== null) return { kind: "wait", reasons: [embargo], afterMs: facts.publishedMs! - nowMs };
  if (limit !== null) return { kind: "wait", reasons: [limit], afterMs: limitAfterMs };
  return { kind: "go", url: facts.url, topicIds };
}

/** Returns a reason that blocks, as the checks of the decision have them. `message` says what to do. */
export function blocks(code: string, message: Message): Reason {
  return reasonOf(code, { effect: "blocks", message });
}

/**
 * Returns the reason not to send an address that leads to a host that is not allowed, or null if it does not. An
 * item's address is text of the feed's document, and a redirect of its page comes from that page's server. Neither
 * shows that it is a story of the site.
 */
export function checkHost({ url, hosts }: Pick<ItemFacts, "url" | "hosts">): Reason | null {
  if (url === null || leadsTo(url, hosts)) return null;
  const host = URL.parse(url)?.hostname ?? url;
  return blocks("foreign_host", messages.item_foreign_host({ host, site: hosts[0]! }));
}

/**
 * Returns the topics of an item by its categories. An empty list is everyone. Null: no rule matches, and the item is
 * skipped.
 */
export function topicsOf({ categories, feed }: Pick<ItemFacts, "categories" | "feed">): string[] | null {
  if (feed.topics.length === 0) return [];
  const named = new Set(categories.map(foldCase));
  const topicIds = feed.topics.filter(({ category }) => named.has(foldCase(category))).map(({ topicId }) => topicId);
  if (topicIds.length > 0) return [...new Set(topicIds)];
  return feed.unmatched === "everyone" ? [] : null;
}

/** Folds the case of a category before comparing, because feeds write one category in different ways. */
function foldCase(category: string): string {
  return category.normalize("NFKC").trim().toLowerCase();
}

/**
 * Makes an item wait for its date, because a date in the future is an embargo. Items do not store dates of over a week
 * ahead: those are mistakes of the feed.
 */
function checkEmbargo({ publishedMs }: ItemFacts, nowMs: number): Reason | null {
  if (publishedMs === null || publishedMs <= nowMs) return null;
  const date = new Date(publishedMs).toISOString();
  return blocks("embargo", messages.item_embargo({ date }));
}

/** Checks the age of an item by its date, or by the time when it was found if it has no date. */
function checkAge({ publishedMs, foundMs, freshnessHours, waitingFor }: ItemFacts, nowMs: number): Reason | null {
  const publishedOrFoundMs = publishedMs ?? foundMs;
  if (nowMs - publishedOrFoundMs <= freshnessHours * hourMs) return null;
  if (waitingFor.length === 0) {
    const date = new Date(publishedOrFoundMs).toISOString();
    return blocks("too_old", messages.item_too_old({ date, hours: freshnessHours }));
  }
  const why = waitingFor
    .map(({ message, messageCode: code, params }): Message => ({ message, code, params }))
    .reduce((one, other) => messages.item_reasons({ one, other }));
  return blocks("waited_too_long", messages.item_waited({ hours: freshnessHours, why }));
}

function checkLimits({ feed, sends }: ItemFacts): Reason | null {
  if (sends.hour >= feed.hourlyLimit) {
    const messageOf = feed.suggest ? messages.feed_suggested_hour : messages.feed_sent_hour;
    return blocks("feed_hourly_limit", messageOf({ n: sends.hour, limit: feed.hourlyLimit }));
  }
  if (sends.day < feed.dailyLimit) return null;
  const messageOf = feed.suggest ? messages.feed_suggested_day : messages.feed_sent_day;
  return blocks("feed_daily_limit", messageOf({ n: sends.day, limit: feed.dailyLimit }));
}
