import type { Snippet } from "../page/snippet.ts";
import { findWorker } from "../page/worker-registration.ts";
import { addressOf } from "../subscription.ts";
import { erase, readJson } from "../wire.ts";

/** The preferences of a reader. Times of day are `HH:MM` in the reader's time zone. */
export type Preferences = {
  maxADay: number | null;
  quietHours: { from: string; until: string } | null;
  /** The time of day at which suppressed notifications come as one digest. Null if the reader wants no digest. */
  digestAt: string | null;
  /** Whether breaking news ignores quiet hours and limits. */
  breaking: boolean;
  timeZone: string;
};

/** A notification that was sent to the reader. `story`: the key of its story. */
export type Nudge = { runId: string; title: string; url: string; sentAt: string; story: string; isSuppressed: boolean };

export type Answer = {
  preferences: Preferences;
  muted: { story: string; title: string }[];
  recent: Nudge[];
  facts: { name: string; label: string; value: string }[];
};

export type Change = { preferences?: Preferences; mute?: string; unmute?: string; removeFact?: string };

/**
 * Sends a change, if one is given, and returns what the service has. Throws without a subscription, or if the service
 * refuses.
 */
export async function askService(snippet: Snippet, change: Change = {}): Promise<Answer> {
  const { base, siteId } = snippet;
  return readJson(`${base}/sdk/sites/${siteId}/preferences`, {
    ...addressOf(await subscriptionOf(snippet)),
    ...change,
  });
}

/** Saves everything that the service knows about the reader as a file. */
export async function downloadData(snippet: Snippet): Promise<void> {
  const { base, siteId } = snippet;
  const data = await readJson(`${base}/sdk/sites/${siteId}/data`, addressOf(await subscriptionOf(snippet)));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }));
  link.download = "notifications.json";
  link.click();
}

/** Deletes everything that the service knows about the reader. */
export async function eraseData(snippet: Snippet): Promise<void> {
  await erase(snippet, await subscriptionOf(snippet));
}

async function subscriptionOf(snippet: Snippet): Promise<PushSubscription> {
  const registration = await findWorker(snippet);
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) throw Error("not subscribed");
  return subscription;
}
