import { z } from "zod";
import { faults, zodText } from "../faults.ts";
import { expects, flag, oneOf, uuid, wholeNumber } from "../input.ts";
import { type Said, said } from "../messages.ts";
import { segmentChoice } from "../subscribers/segments/segment.ts";
import type { ItemStatus } from "./items/states.ts";
import { feedMessages as messages } from "./messages.ts";

/** The most feeds of one site. More are a mistake of a script, and each feed costs polls. */
export const maxFeeds = 50;

const categoryTopic = z.strictObject(
  {
    category: z
      .string(expects("a string"))
      .trim()
      .min(1, zodText(faults.empty()))
      .max(100, zodText(faults.too_long({ most: 100 }))),
    topicId: uuid,
  },
  zodText(faults.category_and_topic_needed()),
);

/**
 * The longest pause between polls. A longer max-age or ttl is the publisher's mistake: stories would be too old when
 * found.
 */
export const maxPollSeconds = 6 * 60 * 60;

/** The most categories of a feed that have a topic of their own. */
export const maxRules = 100;
/** The most allowed hosts of one feed. A longer list would allow anything. */
export const maxHosts = 100;

const host = z.string(expects("a string")).transform((text, context) => {
  const url = URL.parse(`https://${text.trim()}`);
  const isHost = url !== null && url.href === `https://${url.hostname}/` && /.\../.test(url.hostname);
  if (isHost || url?.href === "https://localhost/") return url.hostname;
  context.addIssue({ code: "custom", message: zodText(faults.not_a_host({ example: "blog.example.org" })) });
  return z.NEVER;
});

/** The settings of a feed. An absent setting stays unchanged. A new feed gets the default of the database's table. */
const settings = {
  enabled: flag.optional(),
  override: flag.optional(),
  suggest: flag.optional(),
  testHeadlines: flag.optional(),
  topics: z
    .array(categoryTopic, zodText(faults.wrong_type({ type: "a list of categories and topics" })))
    .max(maxRules, zodText(faults.too_many_rules({ most: maxRules })))
    .optional(),
  segment: segmentChoice.optional(),
  unmatched: oneOf(["skip", "everyone"]).optional(),
  atLimit: oneOf(["skip", "wait"]).optional(),
  hourlyLimit: wholeNumber(1, 100).optional(),
  dailyLimit: wholeNumber(1, 1_000).optional(),
  pollSeconds: wholeNumber(30, maxPollSeconds).optional(),
  allowedHosts: z
    .array(host, zodText(faults.wrong_type({ type: "a list of hosts" })))
    .max(maxHosts, zodText(faults.too_many_hosts({ most: maxHosts })))
    .transform((hosts) => [...new Set(hosts)])
    .optional(),
};

const url = z.string(expects("a string")).trim().min(1, zodText(faults.required()));

/** The input of `tryFeed`. */
export const feedAddress = z.strictObject({ url }, expects("an object"));

/** The input of a new feed. */
export const newFeed = z.strictObject({ siteId: uuid, url, ...settings }, expects("an object"));

/** The input of a change. `newItems`: the answer to the question about very many new items. */
export const feedChange = z.strictObject(
  { url: url.optional(), ...settings, newItems: oneOf(["send", "skip"]).optional() },
  expects("an object"),
);

export type FeedChange = z.output<typeof feedChange>;
export type CategoryTopic = { category: string; topicId: string };

/** How a poll ended, and the pause until the next one with the reason for it. */
export type PollResult = {
  outcome: "read" | "unchanged" | "failed";
  /** A `FeedFault`. Null unless the poll failed. */
  code: string | null;
  message: string | null;
  messageCode: string | null;
  params: Said["params"] | null;
  newItems: number;
  everySeconds: number;
  because: Said;
};

/** A feed as the database has it. */
export type FeedRecord = {
  id: string;
  tenantId: string;
  siteId: string;
  url: string;
  enabled: boolean;
  override: boolean;
  /** A story that is worth sending waits as a draft, and the editors are asked. Never together with the override. */
  suggest: boolean;
  /** If the feed's title of a story differs from the page's, both are tried (headline test). */
  testHeadlines: boolean;
  topics: CategoryTopic[];
  /** Only readers in this segment get an item. Null: all readers, or those with its topics. */
  segment: string | null;
  unmatched: "skip" | "everyone";
  /**
   * What happens to an item in quiet hours, beyond a limit, or within a gap. `wait`: it waits as long as it is fresh.
   */
  atLimit: "skip" | "wait";
  hourlyLimit: number;
  dailyLimit: number;
  /** The items may lead to these hosts, to hosts below them, and to the site's own host. */
  allowedHosts: string[];
  /** The longest pause between polls that succeed. It overrides what the feed and its server ask for. */
  pollSeconds: number;
  title: string | null;
  createdAt: Date;
  /** The time of the first poll, whose entries are never sent. */
  seededAt: Date | null;
  /** When the owner was asked about very many new items. Null: no such question is open. */
  askedAt: Date | null;
  nextPollAt: Date;
  polledAt: Date | null;
  /** The time of the last poll that succeeded. */
  workedAt: Date | null;
  pollResult: PollResult | null;
  failures: number;
  etag: string | null;
  lastModified: string | null;
  bodyHash: Buffer | null;
  ttlMinutes: number | null;
  /** The host of the last document that was read, after redirects. */
  documentHost: string | null;
  newItemAt: Date | null;
  hubUrl: string | null;
  hubTopic: string | null;
  /** `active` while a renewal is asked for too. */
  hubState: "asking" | "active" | "refused" | null;
  /** A request for a subscription or a renewal is pending at the hub. */
  isHubAsked: boolean;
  hubLeaseUntil: Date | null;
  /** The time of the last push of the hub. */
  hubPushedAt: Date | null;
  /** The last time that a poll found new entries although the hub should have pushed them. */
  hubMissedAt: Date | null;
};

export type ItemCounts = Record<ItemStatus, number>;

/**
 * A feed as callers see it. Times: ISO-8601, UTC. `nextPollAt`: null if the feed is off. `question`: null if none is
 * open.
 */
export type FeedView = ReturnType<typeof viewFeed>;

export function viewFeed(feed: FeedRecord, items: ItemCounts, publicUrl: string | undefined) {
  return {
    feedId: feed.id,
    siteId: feed.siteId,
    url: feed.url,
    title: feed.title,
    enabled: feed.enabled,
    override: feed.override,
    suggest: feed.suggest,
    topics: feed.topics,
    unmatched: feed.unmatched,
    hourlyLimit: feed.hourlyLimit,
    dailyLimit: feed.dailyLimit,
    atLimit: feed.atLimit,
    allowedHosts: feed.allowedHosts,
    pollSeconds: feed.pollSeconds,
    testHeadlines: feed.testHeadlines,
    segment: feed.segment,
    lastPoll:
      feed.polledAt === null ? null : { at: feed.polledAt.toISOString(), ...feed.pollResult!, failures: feed.failures },
    nextPollAt: feed.enabled ? feed.nextPollAt.toISOString() : null,
    push: viewPush(feed, publicUrl),
    items,
    question: viewQuestion(feed, items.asked),
    warnings: feed.override ? [overrideWarning] : [],
    createdAt: feed.createdAt.toISOString(),
  };
}

/**
 * Returns the feed's hub, or null if it names none. `state` is `unused` without PUBLIC_URL: hubs cannot reach
 * Pressbell.
 */
function viewPush(feed: FeedRecord, publicUrl: string | undefined) {
  if (feed.hubUrl === null) return null;
  return {
    hub: feed.hubUrl,
    state: feed.hubState ?? (publicUrl === undefined ? ("unused" as const) : ("asking" as const)),
    leaseUntil: feed.hubLeaseUntil?.toISOString() ?? null,
    lastNotifiedAt: feed.hubPushedAt?.toISOString() ?? null,
  };
}

export const overrideWarning = { code: "override_on", ...said(messages.feed_override()) };

/**
 * Returns the open question to the owner. A question about undated items alone has no time, because it holds up no
 * other items.
 */
function viewQuestion({ askedAt }: FeedRecord, items: number) {
  if (askedAt !== null) return { ...manyNewItems(items), askedAt: askedAt.toISOString() };
  return items === 0 ? null : { ...undatedItems(items), askedAt: null };
}

/** The question to the owner of a feed with items whose date is unknown. */
function undatedItems(items: number) {
  return { code: "undated_items", items, ...said(messages.undated_items({ items })) };
}

/** The question to the owner of a feed with very many new items. */
export function manyNewItems(items: number) {
  return { code: "many_new_items", items, ...said(messages.many_new_items({ items })) };
}
