import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { tooManyPages } from "../../decision/decide-story.ts";
import { appError } from "../../errors.ts";
import { type Said, said } from "../../messages.ts";
import { maxPollSeconds } from "../feed.ts";
import type { ParsedFeed } from "../parse/entry.ts";
import { type FeedFault, type FetchedFeed, feedFaults, fetchFeed } from "./fetch-feed.ts";
import { nextPoll } from "./next-poll.ts";

const maxShownEntries = 10;
const maxShownCategories = 50;

/** What a poll of an address would read, before it is added as a feed. Times: ISO-8601, UTC. */
export type TriedFeed =
  | ({ isFeed: false; code: FeedFault } & Said)
  | {
      isFeed: true;
      /** The address where the redirects ended. */
      url: string;
      format: ParsedFeed["format"];
      title: string | null;
      entryCount: number;
      /** Whether the document breaks off, or is longer than what is read of it. */
      isCut: boolean;
      entries: { title: string | null; url: string | null; categories: string[]; publishedAt: string | null }[];
      /** The categories of all entries, for the rules of the feed's topics. */
      categories: string[];
      everySeconds: number;
      because: Said;
      hub: string | null;
    };

/**
 * Fetches and parses a feed as a poll would, and stores nothing. If there is no feed, the result says so. That is not
 * an error. Throws `unavailable` if all fetch slots stay taken.
 */
export async function tryFeed(app: App, actor: Actor, input: { url: string }): Promise<TriedFeed> {
  const answer = await fetchFeed(app, { url: input.url, who: `feed:${actor.tenantId}` });
  if (answer.kind === "none") {
    throw appError("unavailable", tooManyPages);
  }
  if (answer.kind === "failed") return { isFeed: false, code: answer.code, ...said(answer.message) };
  if (answer.kind === "unchanged") return { isFeed: false, code: "bad_answer", ...said(feedFaults.bad_answer()) };
  return viewAnswer(answer);
}

function viewAnswer({ url, feed, freshMs }: Extract<FetchedFeed, { kind: "read" }>): TriedFeed {
  const { format, title, entries, isCut, ttlMinutes, hubs } = feed;
  const asked = { retryAfterMs: null, freshMs, ttlMinutes, pollSeconds: maxPollSeconds };
  const facts = { ...asked, failures: 0, quietForMs: 0, isPushed: false, random: 0 };
  const { afterMs, because } = nextPoll(facts);
  return {
    isFeed: true,
    url,
    format,
    title,
    isCut,
    because: said(because),
    entryCount: entries.length,
    entries: entries.slice(0, maxShownEntries).map(({ publishedMs, ...entry }) => ({
      title: entry.title,
      url: entry.url,
      categories: entry.categories,
      publishedAt: publishedMs === null ? null : new Date(publishedMs).toISOString(),
    })),
    categories: [...new Set(entries.flatMap(({ categories }) => categories))].slice(0, maxShownCategories),
    everySeconds: Math.round(afterMs / 1_000),
    hub: hubs[0] ?? null,
  };
}
