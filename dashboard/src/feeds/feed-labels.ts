import type { FeedView, ItemStatus } from "../api/feed-calls.ts";
import { count } from "../components/numbers.ts";
import { words } from "../words/words.ts";

/** The label and colour of each status of an item; `explanation` is for editors. */
export const itemLabels: Record<ItemStatus, { label: string; color: string; explanation: string }> = {
  new: {
    get label() {
      return words.feeds.newIt;
    },
    color: "indigo",
    get explanation() {
      return words.feeds.itIsAboutToBe;
    },
  },
  asked: {
    get label() {
      return words.feeds.asked;
    },
    color: "orange",
    get explanation() {
      return words.feeds.itCameWithVeryMany;
    },
  },
  waiting: {
    get label() {
      return words.feeds.waiting;
    },
    color: "indigo",
    get explanation() {
      return words.feeds.itIsLookedAtAgain;
    },
  },
  suggested: {
    get label() {
      return words.feeds.suggested;
    },
    color: "petrol",
    get explanation() {
      return words.feeds.itWaitsAsADraft;
    },
  },
  sent: {
    get label() {
      return words.feeds.sent;
    },
    color: "green",
    get explanation() {
      return words.feeds.itsNudgeWentOut;
    },
  },
  skipped: {
    get label() {
      return words.feeds.skipped;
    },
    color: "gray",
    get explanation() {
      return words.feeds.itWasNotSent;
    },
  },
  seen: {
    get label() {
      return words.feeds.seen;
    },
    color: "gray",
    get explanation() {
      return words.feeds.itWasInTheFeed;
    },
  },
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
