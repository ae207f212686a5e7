import type { Tx } from "../../db/pool.ts";
import type { Entry } from "../parse/entry.ts";
import { lockFeed, lockSiteForFeeds, recordFirstPoll, recordNewItems, recordQuestion } from "../queries.ts";
import { keyEntries } from "./item-keys.ts";
import { insertItems, insertKeys, knownKeys } from "./queries.ts";

/** So many new items at once are no news but another address scheme, a moved archive or a fault: the owner is asked. */
export const askAbove = 50;
/** A document of at least so many entries of which not one is known looks the same. */
const askWhenAllNew = 10;
/** Of what a first poll finds, for the list; by their keys all are known. */
const shownOfFirstPoll = 100;

export type Taken = { newItems: number; isAsked: boolean };

/**
 * Takes in what a feed has brought, in the caller's transaction: what is new becomes items, each once, however many
 * processes and feeds of the site bring it at the same moment. The first time everything counts as seen. `by`: a poll
 * brings the whole document, a push perhaps only what is new.
 */
export async function ingestEntries(tx: Tx, feedId: string, entries: Entry[], by: "poll" | "push"): Promise<Taken> {
  // The feed first, then the desk: everybody takes the two locks in this order.
  const feed = await lockFeed(tx, feedId);
  if (feed === undefined) return { newItems: 0, isAsked: false };
  const { siteId } = feed;
  await lockSiteForFeeds(tx, siteId);
  const keyed = keyEntries(feedId, entries);
  const known = await knownKeys(
    tx,
    siteId,
    keyed.flatMap(({ keys }) => keys),
  );
  const fresh: Entry[] = [];
  for (const { entry, keys } of keyed) {
    const names = keys.map((key) => key.toString("hex"));
    if (!names.some((name) => known.has(name))) fresh.push(entry);
    // A known story under another id, or another address, is known by these too.
    for (const name of names) known.add(name);
  }
  await insertKeys(
    tx,
    siteId,
    keyed.flatMap(({ keys }) => keys),
  );
  if (feed.seededAt === null) {
    await insertItems(tx, { siteId, feedId, status: "seen" }, fresh.slice(0, shownOfFirstPoll));
    await recordFirstPoll(tx, feedId);
    return { newItems: 0, isAsked: false };
  }
  if (fresh.length === 0) return { newItems: 0, isAsked: false };
  const isWhollyNew = by === "poll" && fresh.length >= askWhenAllNew && fresh.length === entries.length;
  const isAsked = feed.askedAt !== null || fresh.length > askAbove || isWhollyNew;
  await insertItems(tx, { siteId, feedId, status: isAsked ? "asked" : "new" }, fresh);
  await recordNewItems(tx, feedId, by);
  if (isAsked) await recordQuestion(tx, feedId, true);
  return { newItems: fresh.length, isAsked };
}
