import { decodeFeed } from "./decode-feed.ts";
import type { ParsedFeed } from "./entry.ts";
import { readJsonFeed } from "./json-feed.ts";
import { readXmlFeed } from "./xml-feed.ts";

/** A document that may be a feed. `url`: where it was read; `charset`: what its header says. */
export type FeedDocument = { url: string; body: Uint8Array; charset?: string };

/**
 * Reads a feed of any format, by what it is and not by its content type; null where it is none. The time and the memory
 * grow with the length of the document and with nothing else. Never throws, on any bytes.
 */
export function parseFeed(document: FeedDocument): ParsedFeed | null {
  const text = decodeFeed(document);
  return /^\s*[{[]/.test(text) ? readJsonFeed(text, document.url) : readXmlFeed(text, document.url);
}
