import type { ParseTask } from "../../parser.ts";
import { decodeFeed } from "./decode-feed.ts";
import type { ParsedFeed } from "./entry.ts";
import { readJsonFeed } from "./json-feed.ts";
import { readXmlFeed } from "./xml-feed.ts";

/** A document that may be a feed. `url`: the address where it was read. `charset`: the charset of its content type. */
export type FeedDocument = { url: string; body: Uint8Array; charset?: string };

/**
 * Parses a feed of any format. The document itself decides the format, not its content type. Returns null if it is no
 * feed. Time and memory grow linearly with the length of the document. Never throws, on any bytes.
 */
export function parseFeed(document: FeedDocument): ParsedFeed | null {
  const text = decodeFeed(document);
  return /^\s*[{[]/.test(text) ? readJsonFeed(text, document.url) : readXmlFeed(text, document.url);
}

/** The task that runs `parseFeed` in a thread. */
export const feedTask: ParseTask<FeedDocument, ParsedFeed | null> = {
  module: new URL(import.meta.url),
  run: parseFeed,
};
