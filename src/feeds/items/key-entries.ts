import { createHash } from "node:crypto";
import { pageIdentity } from "../../decision/story-url.ts";
import type { Entry } from "../parse/entry.ts";

/** An entry with its keys. An entry is known if one of its keys is. */
export type KeyedEntry = { entry: Entry; keys: Buffer[] };

type Named = Pick<Entry, "guid" | "url" | "title">;

/**
 * Returns entries with their keys: the story's page, which is the same in all feeds of the site, and the feed's own id
 * for the entry. An id that names several pages is not used: in one document, or if the feed has only ever had this id and
 * gives it to another page with another title than those of `recent`, its latest items. An entry with neither is known by
 * its text.
 */
export function keyEntries(feedId: string, entries: Entry[], recent: Named[]): KeyedEntry[] {
  const pages = entries.map(pageOf);
  const pagesOfGuid = new Map<string, Set<string | null>>();
  for (const [index, { guid }] of entries.entries()) {
    if (guid !== null) pagesOfGuid.set(guid, (pagesOfGuid.get(guid) ?? new Set()).add(pages[index]!));
  }
  // A document with one entry does not show that every entry gets the same id; what came before does.
  const isConstant = recent.length > 0 && new Set([...entries, ...recent].map(({ guid }) => guid)).size === 1;
  const before = new Set(recent.flatMap((item) => [pageOf(item), item.title]));
  return entries.map((entry, index) => {
    const { guid, title, summary } = entry;
    const page = pages[index]!;
    // With the title of an earlier item it is that story, whose address has changed.
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

/** The first 16 bytes of the SHA-256. */
function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest().subarray(0, 16);
}
