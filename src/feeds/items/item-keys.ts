import { createHash } from "node:crypto";
import { pageIdentity } from "../../decision/story-url.ts";
import type { Entry } from "../parse/entry.ts";

/** What an entry is known by: of any of them that has been seen, the entry is not new. */
export type KeyedEntry = { entry: Entry; keys: Buffer[] };

/**
 * The keys of a feed's entries: the story's page, which all feeds of the site share, and the feed's own id for it. An id
 * that stands for several pages in one document is none. Entries with neither go by their text.
 */
export function keyEntries(feedId: string, entries: Entry[]): KeyedEntry[] {
  const pages = entries.map(({ url }) => (url === null ? null : pageIdentity(url, url)));
  const pagesOfGuid = new Map<string, Set<string | null>>();
  for (const [at, { guid }] of entries.entries()) {
    if (guid !== null) pagesOfGuid.set(guid, (pagesOfGuid.get(guid) ?? new Set()).add(pages[at]!));
  }
  return entries.map((entry, at) => {
    const { guid, title, summary } = entry;
    const keys = [
      ...(pages[at] === null ? [] : [hash(`page ${pages[at]}`)]),
      ...(guid !== null && pagesOfGuid.get(guid)!.size === 1 ? [hash(`guid ${feedId} ${guid}`)] : []),
    ];
    return { entry, keys: keys.length > 0 ? keys : [hash(`text ${feedId} ${title} ${summary}`)] };
  });
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest().subarray(0, 16);
}
