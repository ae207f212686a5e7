import { Worker } from "node:worker_threads";
import { decodeFeed } from "./decode-feed.ts";
import type { ParsedFeed } from "./entry.ts";
import { readJsonFeed } from "./json-feed.ts";
import { readXmlFeed } from "./xml-feed.ts";

/** Shorter documents are parsed in a few milliseconds, which is less than the start of a thread takes. */
const minThreadBytes = 128 * 1024;
const maxThreadMs = 10_000;
/** The limit of the thread's own heap, in MB. A feed of 10 MB takes about a quarter of it. */
const maxHeapMb = 256;

/** A document that may be a feed. `url`: the address it was read from; `charset`: of its content type. */
export type FeedDocument = { url: string; body: Uint8Array; charset?: string };

/**
 * Parses a feed of any format. The document itself decides the format, not its content type. Returns null if it is no
 * feed. Time and memory grow linearly with the length of the document. Never throws, on any bytes.
 */
export function parseFeed(document: FeedDocument): ParsedFeed | null {
  const text = decodeFeed(document);
  return /^\s*[{[]/.test(text) ? readJsonFeed(text, document.url) : readXmlFeed(text, document.url);
}

/**
 * Parses a feed as `parseFeed` does. A large one is parsed in a thread of its own (parse-thread.ts): nothing else in
 * this process waits for it, and its memory is bounded and freed. Returns null also if it exceeds the limits of the
 * thread.
 */
export async function parseInThread(document: FeedDocument): Promise<ParsedFeed | null> {
  if (document.body.length <= minThreadBytes) return parseFeed(document);
  const thread = new Worker(new URL("./parse-thread.ts", import.meta.url), {
    workerData: document,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 32 },
  });
  const answer = Promise.withResolvers<ParsedFeed | null>();
  thread.once("message", answer.resolve);
  thread.once("error", () => answer.resolve(null));
  thread.once("exit", () => answer.resolve(null));
  const late = setTimeout(() => answer.resolve(null), maxThreadMs);
  try {
    return await answer.promise;
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}
