import type { App } from "../../app.ts";
import type { Tx } from "../../db/pool.ts";
import type { FeedRecord } from "../feed.ts";
import type { Entry } from "../parse/entry.ts";
import { recordFirstPoll, recordNewItems } from "../poll/queries.ts";
import { lockFeed } from "../queries.ts";
import { deleteItemsBeyondCap, deleteKeysBeyondCap, roomForItems } from "./feed-caps.ts";
import { type KeyedEntry, keyEntries } from "./key-entries.ts";
import { areTooMany, askOwners, type Brought } from "./many-items.ts";
import { insertItems, recentOfFeed } from "./queries.ts";
import { insertKeys, knownKeys, listedKeys, lockSiteForFeeds, updateListedKeys } from "./site-queries.ts";

/** The number of a document's entries whose keys are stored with the feed, to compare the next document with. */
const listedEntries = 200;
/**
 * The number of items that are listed after a first poll. The keys of all its entries are stored, so none of them is
 * new later.
 */
const listedOfFirstPoll = 100;

export type Ingested = { newItems: number; isAsked: boolean };

/**
 * Ingests the entries of a feed in the caller's transaction. Each new entry becomes one item, even if several
 * processes or several feeds of the site bring it at the same moment. Entries of the first poll become `seen`. If the
 * feed has too many open items, further entries are dropped. Their keys are stored, so that they are not new later.
 * `poll`: the time of the poll and of the last one that succeeded, or null for a push, which may bring only new
 * entries. `sourceHost`: the host of the document, or of the document that named the hub. Returns the number of new
 * items, and whether they wait for an answer of the owner.
 */
export async function ingestEntries(
  app: App,
  tx: Tx,
  brought: { feedId: string; entries: Entry[]; sourceHost: string | null; poll: Omit<Brought, "kept"> | null },
): Promise<Ingested> {
  const { feedId, entries, sourceHost, poll } = brought;
  // Every transaction locks the feed before the site. Another order would deadlock.
  const feed = await lockFeed(tx, feedId);
  if (feed === undefined) return { newItems: 0, isAsked: false };
  const { siteId } = feed;
  await lockSiteForFeeds(tx, siteId);
  const keyed = keyEntries(feedId, entries, await recentOfFeed(tx, feedId));
  const fresh = await findNewEntries(tx, feed, keyed);
  const kept = poll === null ? 0 : await replaceListed(tx, feedId, keyed, fresh.length);
  if (feed.seededAt === null) {
    await insertItems(tx, { siteId, feedId, sourceHost, status: "seen" }, fresh.slice(0, listedOfFirstPoll));
    await recordFirstPoll(tx, feedId);
    return { newItems: 0, isAsked: false };
  }
  if (fresh.length === 0) return { newItems: 0, isAsked: false };
  const isAsked = feed.askedAt !== null || areTooMany(fresh, poll && { ...poll, kept });
  const newItems = await insertWithinCaps(app, tx, feed, { sourceHost, status: isAsked ? "asked" : "new", fresh });
  await recordNewItems(tx, feedId, poll === null ? "push" : "poll");
  if (isAsked) await askOwners(app, tx, feed, fresh.length);
  return { newItems, isAsked };
}

/** Inserts as many of the new entries as the feed has room for, the first ones. Returns how many it inserted. */
async function insertWithinCaps(
  app: App,
  tx: Tx,
  { id: feedId, siteId }: FeedRecord,
  { fresh, ...what }: { sourceHost: string | null; status: "new" | "asked"; fresh: Entry[] },
): Promise<number> {
  const inserted = fresh.slice(0, await roomForItems(tx, feedId));
  await insertItems(tx, { siteId, feedId, ...what }, inserted);
  await deleteItemsBeyondCap(tx, feedId);
  const dropped = fresh.length - inserted.length;
  if (dropped > 0) app.log.warn({ feedId, dropped }, "a feed has too many open items, and drops new ones");
  return inserted.length;
}

/** Returns the entries that no feed of the site has had before. Stores the keys of all entries. */
async function findNewEntries(tx: Tx, feed: FeedRecord, keyed: KeyedEntry[]): Promise<Entry[]> {
  const { siteId } = feed;
  const allKeys = keyed.flatMap(({ keys }) => keys);
  const known = await knownKeys(tx, siteId, allKeys);
  const fresh: Entry[] = [];
  for (const { entry, keys } of keyed) {
    const names = keys.map((key) => key.toString("hex"));
    if (!names.some((name) => known.has(name))) fresh.push(entry);
    // A known story may have a new id or address. From here on it is known by that too.
    for (const name of names) known.add(name);
  }
  const inserted = await insertKeys(tx, { siteId, feedId: feed.id }, allKeys);
  if (inserted > 0) await deleteKeysBeyondCap(tx, feed.id);
  return fresh;
}

/**
 * Stores the keys of what the feed lists now. Returns how many of the entries the feed already listed at its last
 * poll. If that is not known, returns how many the site's feeds have had.
 */
async function replaceListed(tx: Tx, feedId: string, keyed: KeyedEntry[], fresh: number): Promise<number> {
  const listed = await listedKeys(tx, feedId);
  const now = keyed.slice(0, listedEntries).flatMap(({ keys }) => keys);
  await updateListedKeys(tx, feedId, now);
  if (listed === null) return keyed.length - fresh;
  const names = new Set(listed.map((key) => key.toString("hex")));
  return keyed.filter(({ keys }) => keys.some((key) => names.has(key.toString("hex")))).length;
}
