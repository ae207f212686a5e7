import { Worker } from "node:worker_threads";
import type { ParsedFeed } from "./entry.ts";
import { type FeedDocument, parseFeed } from "./parse-feed.ts";

/** What is shorter takes a few milliseconds, less than the start of a thread. */
const aloneBytes = 128 * 1024;
const atMostMs = 10_000;
/** Of the thread's own heap: a feed of 10 MB takes about a quarter of it. */
const heapMb = 256;

/**
 * Reads a feed as `parseFeed` does, a large one in a thread of its own: nothing else in this process waits for it, and
 * its memory is bounded and given back. null where it is no feed, or takes too much.
 */
export async function parseInThread(document: FeedDocument): Promise<ParsedFeed | null> {
  if (document.body.length <= aloneBytes) return parseFeed(document);
  const thread = new Worker(new URL("./parse-thread.ts", import.meta.url), {
    workerData: document,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
  });
  const answer = Promise.withResolvers<ParsedFeed | null>();
  thread.once("message", answer.resolve);
  thread.once("error", () => answer.resolve(null));
  thread.once("exit", () => answer.resolve(null));
  const late = setTimeout(() => answer.resolve(null), atMostMs);
  try {
    return await answer.promise;
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}
