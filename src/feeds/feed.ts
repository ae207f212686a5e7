import { z } from "zod";
import { expects, uuid, wholeNumber } from "../input.ts";
import type { ItemStatus } from "./items/states.ts";

/** Feeds of one site: more are a mistake of a script, and each is polled. */
export const maxFeeds = 50;

const categoryTopic = z.strictObject(
  {
    category: z
      .string(expects("a string"))
      .trim()
      .min(1, "must not be empty")
      .max(100, "must have at most 100 characters"),
    topicId: uuid,
  },
  "must have category and topicId",
);

const onOff = z.boolean("must be true or false");

/** What may be said of a feed. Absent: it stays as it is. */
const sayable = {
  enabled: onOff.optional(),
  override: onOff.optional(),
  topics: z
    .array(categoryTopic, "must be a list of categories and topics")
    .max(100, "must have at most 100 rules")
    .optional(),
  unmatched: z.enum(["skip", "everyone"], "must be skip or everyone").optional(),
  hourlyCap: wholeNumber(1, 100).optional(),
  dailyCap: wholeNumber(1, 1_000).optional(),
};

const url = z.string(expects("a string")).trim().min(1, "is required");

export const feedAddress = z.strictObject({ url }, expects("an object"));

export const newFeed = z.strictObject({ siteId: uuid, url, ...sayable }, expects("an object"));

/** `newItems`: the answer to the question about very many new items. */
export const feedChange = z.strictObject(
  { url: url.optional(), ...sayable, newItems: z.enum(["send", "skip"], "must be send or skip").optional() },
  expects("an object"),
);

export type FeedChange = z.output<typeof feedChange>;
export type CategoryTopic = { category: string; topicId: string };

/** How the last poll ended, and when and why the next one is. */
export type PollResult = {
  outcome: "read" | "unchanged" | "failed";
  /** Of a failure. */
  code: string | null;
  message: string | null;
  newItems: number;
  everySeconds: number;
  because: string;
};

/** A feed as the database has it. */
export type FeedRecord = {
  id: string;
  tenantId: string;
  siteId: string;
  url: string;
  enabled: boolean;
  override: boolean;
  topics: CategoryTopic[];
  unmatched: "skip" | "everyone";
  hourlyCap: number;
  dailyCap: number;
  title: string | null;
  createdAt: Date;
  seededAt: Date | null;
  askedAt: Date | null;
  nextPollAt: Date;
  polledAt: Date | null;
  pollResult: PollResult | null;
  failures: number;
  etag: string | null;
  lastModified: string | null;
  bodyHash: Buffer | null;
  ttlMinutes: number | null;
  newItemAt: Date | null;
  hubUrl: string | null;
  hubTopic: string | null;
  hubState: "asking" | "active" | "refused" | null;
  hubLeaseUntil: Date | null;
  hubToldAt: Date | null;
  hubMissedAt: Date | null;
};

export type ItemCounts = Record<ItemStatus, number>;

/** A feed as callers see it. Times: ISO-8601, UTC. */
export type FeedView = ReturnType<typeof viewFeed>;

export function viewFeed(feed: FeedRecord, items: ItemCounts, publicUrl: string | undefined) {
  const { id: feedId, siteId, url: address, title, enabled, override, topics, unmatched, hourlyCap, dailyCap } = feed;
  return {
    ...{ feedId, siteId, url: address, title, enabled, override, topics, unmatched, hourlyCap, dailyCap },
    lastPoll:
      feed.polledAt === null ? null : { at: feed.polledAt.toISOString(), ...feed.pollResult!, failures: feed.failures },
    nextPollAt: enabled ? feed.nextPollAt.toISOString() : null,
    push: viewPush(feed, publicUrl),
    items,
    question: feed.askedAt === null ? null : { ...manyNewItems(items.asked), askedAt: feed.askedAt.toISOString() },
    warnings: override ? [overrideWarning] : [],
    createdAt: feed.createdAt.toISOString(),
  };
}

/** What pushes the feed beside polling; null where it names no hub. `state`: `unused` where it was never asked. */
function viewPush(feed: FeedRecord, publicUrl: string | undefined) {
  if (feed.hubUrl === null) return null;
  return {
    hub: feed.hubUrl,
    state: feed.hubState ?? (publicUrl === undefined ? ("unused" as const) : ("asking" as const)),
    leaseUntil: feed.hubLeaseUntil?.toISOString() ?? null,
    lastToldAt: feed.hubToldAt?.toISOString() ?? null,
  };
}

export const overrideWarning = {
  code: "override_on",
  message:
    "The override is on: what the content decision rejects goes out too, in quiet hours and over the site's caps. Only this feed's own caps hold.",
};

/** The question that a feed's owner is asked. */
export function manyNewItems(items: number) {
  const message = `${items} new items came at once, and none was sent. Say what becomes of them: skip them, or send them (as far as the caps allow).`;
  return { code: "many_new_items", items, message };
}
