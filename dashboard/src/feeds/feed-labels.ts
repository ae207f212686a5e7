import type { FeedView, ItemStatus } from "../api/feed-calls.ts";
import { count } from "../components/numbers.ts";
import { words } from "../words/words.ts";

/** The colour of each status of an item. */
export const itemColors: Record<ItemStatus, string> = {
  new: "indigo",
  asked: "orange",
  waiting: "indigo",
  suggested: "petrol",
  sent: "green",
  skipped: "gray",
  seen: "gray",
};

export const itemStatuses = Object.keys(itemColors) as ItemStatus[];

/** Returns the counts of items by status, such as "3 sent, 12 skipped", the most interesting status first. */
export function summarizeItems({ items }: Pick<FeedView, "items">): string {
  const order: ItemStatus[] = ["sent", "suggested", "skipped", "waiting", "new", "asked", "seen"];
  const present = order.filter((status) => items[status] > 0);
  const counts = present.map((status) =>
    words.feeds.countOfState({ n: count(items[status]), state: words.feeds.states[status].label.toLowerCase() }),
  );
  return counts.join(", ") || words.feeds.none;
}

export function feedName({ title, url }: Pick<FeedView, "title" | "url">): string {
  return title ?? url.replace(/^https:\/\//, "");
}
