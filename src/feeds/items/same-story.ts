import type { Executor } from "../../db/pool.ts";
import type { Reason } from "../../decision/checks/check.ts";
import { pageIdentity } from "../../decision/story-url.ts";
import { feedMessages as messages } from "../messages.ts";
import { blocks } from "./check-item.ts";
import type { DueItem } from "./item.ts";
import { type RecentItem, recentOfSite } from "./site-queries.ts";

/** The number of paths at which a parameter must occur before it counts as a mark of where a link stands. */
const minPaths = 3;
/** One in this number of paths may have several values and titles for such a parameter. */
const few = 10;
/** Titles that are shorter ("Live", "Comment") belong to many stories. */
const minTitleLength = 12;

/**
 * Returns the reason not to send an item if a feed of the site has already brought its story with another address or
 * id. Runs before the item's page is read. The page's canonical address is compared afterwards.
 */
export async function checkSameStory(on: Executor, item: DueItem): Promise<Reason | null> {
  return findSameStory(item, await recentOfSite(on, item.siteId));
}

/**
 * Looks for the story of `item` among the site's recent items that were sent. Compares the addresses first, without
 * the parameters that only say where the link stands (see marksOf). Then compares the titles with those that other
 * feeds sent within the last day.
 */
export function findSameStory(item: Pick<RecentItem, "feedId" | "url" | "title">, recent: RecentItem[]): Reason | null {
  const sent = recent.filter(({ sentAt }) => sentAt !== null);
  const own = readAddress(item);
  if (own !== null && sent.some((other) => readAddress(other)?.page === own.page)) {
    const marks = marksOf(own.page, recent);
    const twin = sent.find((other) => withoutMarks(readAddress(other), marks) === withoutMarks(own, marks));
    if (twin !== undefined) return sameStory(twin, "address");
  }
  const title = foldTitle(item.title);
  const twin = sent.find((other) => other.isOfDay && other.feedId !== item.feedId && foldTitle(other.title) === title);
  return title === null || twin === undefined ? null : sameStory(twin, "title");
}

function sameStory({ url, sentAt }: RecentItem, by: "address" | "title"): Reason {
  const messageOf = by === "address" ? messages.item_address_known : messages.item_title_known;
  return blocks("same_story", messageOf({ address: String(url), date: sentAt!.toISOString() }));
}

/** An address in two parts. `page`: host and path. */
type Address = { page: string; parameters: [string, string][] };

function readAddress({ url }: Pick<RecentItem, "url">): Address | null {
  const identity = url === null ? null : pageIdentity(url, url);
  const read = identity === null ? null : URL.parse(`https://${identity}`);
  return read && { page: read.host + read.pathname, parameters: [...read.searchParams] };
}

function withoutMarks(address: Address | null, marks: Set<string>): string | null {
  if (address === null) return null;
  return JSON.stringify([address.page, address.parameters.filter(([name]) => !marks.has(name))]);
}

/**
 * Returns the parameters that do not tell pages apart. They occur at several paths, and hardly any path has several
 * values and titles for them. Does not count items at `page` itself, because the question is whether those are one
 * story.
 */
function marksOf(page: string, recent: RecentItem[]): Set<string> {
  const seen = new Map<string, Map<string, { values: Set<string>; titles: Set<string | null> }>>();
  for (const { url, title } of recent) {
    const address = readAddress({ url });
    if (address === null || address.page === page) continue;
    for (const [name, value] of address.parameters) {
      const paths = seen.get(name) ?? new Map();
      const at = paths.get(address.page) ?? { values: new Set(), titles: new Set() };
      at.values.add(value);
      at.titles.add(foldTitle(title));
      seen.set(name, paths.set(address.page, at));
    }
  }
  const isMark = (paths: Map<string, { values: Set<string>; titles: Set<string | null> }>) =>
    paths.size >= minPaths &&
    [...paths.values()].filter(({ values, titles }) => values.size > 1 && titles.size > 1).length * few <= paths.size;
  return new Set([...seen].filter(([, paths]) => isMark(paths)).map(([name]) => name));
}

/**
 * Returns a title without regard to case, spaces and punctuation. Null: there is no title, or it is too short to tell
 * stories apart.
 */
function foldTitle(title: string | null): string | null {
  const words =
    (title ?? "")
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const folded = words.join(" ");
  return folded.length < minTitleLength ? null : folded;
}
