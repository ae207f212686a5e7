import { addressOf } from "../subscription.ts";
import { readJson } from "../wire.ts";
import type { Snippet } from "./snippet.ts";
import { findWorker } from "./worker-registration.ts";

/** A story, an author or a series that a reader follows. `key`: the site's own id of it. */
export type Follow = { key: string; label: string | null };

export type FollowChange = { follow?: { key: string; label?: string }; unfollow?: string };

/**
 * Sends a change, if one is given, and returns what the reader follows. Throws without a subscription. Throws with
 * the service's message if the service refuses.
 */
export async function askFollows(snippet: Snippet, change: FollowChange = {}): Promise<Follow[]> {
  const { base, siteId } = snippet;
  const registration = await findWorker(snippet);
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) throw Error("not subscribed");
  const body = { ...addressOf(subscription), ...change };
  return (await readJson<{ follows: Follow[] }>(`${base}/sdk/sites/${siteId}/follows`, body)).follows;
}
