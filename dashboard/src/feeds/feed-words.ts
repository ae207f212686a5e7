import type { FeedView, ItemStatus } from "../api/feed-calls.ts";
import { count } from "../parts/numbers.ts";

/** What becomes of an item, in the words and colours of both pages; `says` explains it to an editor. */
export const itemLooks: Record<ItemStatus, { word: string; color: string; says: string }> = {
  new: { word: "New", color: "indigo", says: "It is about to be judged." },
  asked: { word: "Asked", color: "orange", says: "It came with very many others: say above what becomes of them." },
  waiting: { word: "Waiting", color: "indigo", says: "It is looked at again, as long as it is fresh." },
  sent: { word: "Sent", color: "green", says: "Its nudge went out." },
  skipped: { word: "Skipped", color: "gray", says: "It was not sent." },
  seen: { word: "Seen", color: "gray", says: "It stood in the feed at the first poll, and is never sent." },
};

export const itemStatuses = Object.keys(itemLooks) as ItemStatus[];

/** "3 sent, 12 skipped": what there is of each, the interesting first. */
export function itemsInWords({ items }: Pick<FeedView, "items">): string {
  const order: ItemStatus[] = ["sent", "skipped", "waiting", "new", "asked", "seen"];
  const present = order.filter((status) => items[status] > 0);
  return (
    present.map((status) => `${count(items[status])} ${itemLooks[status].word.toLowerCase()}`).join(", ") || "none"
  );
}

export function nameOfFeed({ title, url }: Pick<FeedView, "title" | "url">): string {
  return title ?? url.replace(/^https:\/\//, "");
}
