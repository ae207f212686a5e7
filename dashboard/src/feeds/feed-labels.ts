import type { FeedView, ItemStatus } from "../api/feed-calls.ts";
import { count } from "../components/numbers.ts";

/** The label and colour of each status of an item; `explanation` is for editors. */
export const itemLabels: Record<ItemStatus, { label: string; color: string; explanation: string }> = {
  new: { label: "New", color: "indigo", explanation: "It is about to be judged." },
  asked: {
    label: "Asked",
    color: "orange",
    explanation: "It came with very many others, or without a date: choose above what to do.",
  },
  waiting: { label: "Waiting", color: "indigo", explanation: "It is looked at again, as long as it is fresh." },
  suggested: { label: "Suggested", color: "petrol", explanation: "It waits as a draft: an editor sends it, or not." },
  sent: { label: "Sent", color: "green", explanation: "Its nudge went out." },
  skipped: { label: "Skipped", color: "gray", explanation: "It was not sent." },
  seen: { label: "Seen", color: "gray", explanation: "It was in the feed at the first poll, and is never sent." },
};

export const itemStatuses = Object.keys(itemLabels) as ItemStatus[];

/** Counts items by status, such as "3 sent, 12 skipped", the most interesting first. */
export function summarizeItems({ items }: Pick<FeedView, "items">): string {
  const order: ItemStatus[] = ["sent", "suggested", "skipped", "waiting", "new", "asked", "seen"];
  const present = order.filter((status) => items[status] > 0);
  return (
    present.map((status) => `${count(items[status])} ${itemLabels[status].label.toLowerCase()}`).join(", ") || "none"
  );
}

export function feedName({ title, url }: Pick<FeedView, "title" | "url">): string {
  return title ?? url.replace(/^https:\/\//, "");
}
