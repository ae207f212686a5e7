import { createHash } from "node:crypto";
import { pageIdentity } from "../../decision/story-url.ts";
import type { Entry } from "../parse/entry.ts";

/** An entry with its keys. An entry is known if one of its keys is. */
export type KeyedEntry = { entry: Entry; keys: Buffer[] };

type Named = Pick<Entry, "guid" | "url" | "title">;

/**
 * Returns entries with their keys. One key is the story's page, which is the same in all feeds of the site. The other
 * is the feed's own id for the entry. An entry with neither is known by its text. An id that stands for several pages
 * is not used. That is the case if one document gives it to several pages. It is also the case if the feed has only
 * ever had this id, and neither page nor title is in `recent`, the feed's latest items.
 */
export function keyEntries(feedId: string, entries: Entry[], recent: Named[]): KeyedEntry[] {
  const pages = entries.map(pageOf);
  const pagesOfGuid = new Map<string, Set<string | null>>();
  for (const [index, { guid }] of entries.entries()) {
    if (guid !== null) pagesOfGuid.set(guid, (pagesOfGuid.get(guid) ?? new Set()).add(pages[index]!));
  }
  // A document with one entry does not show whether every entry gets the same id. The feed's earlier items do.
  const isConstant = recent.length > 0 && new Set([...entries, ...recent].map(({ guid }) => guid)).size === 1;
  const before = new Set(recent.flatMap((item) => [pageOf(item), item.title]));
  return entries.map((entry, index) => {
    const { guid, title, summary } = entry;
    const page = pages[index]!;
    // An entry with the title of an earlier item is that story at a new address.
    const isAnother = isConstant && page !== null && !before.has(page) && !before.has(title);
    const keys = [
      ...(page === null ? [] : [hash(`page ${page}`)]),
      ...(guid !== null && pagesOfGuid.get(guid)!.size === 1 && !isAnother ? [hash(`guid ${feedId} ${guid}`)] : []),
    ];
    return { entry, keys: keys.length > 0 ? keys : [hash(`text ${feedId} ${title} ${summary}`)] };
  });
}

function pageOf({ url }: Pick<Entry, "url">): string | null {
  return url === null ? null : pageIdentity(url, url);
}

/** Returns the first 16 bytes of the SHA-256. */
function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest().subarray(0, 16);
}
