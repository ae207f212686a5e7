import type { State } from "./api.ts";
import type { PageContext } from "./context.ts";
import { withReason } from "./failure.ts";
import { findWorker } from "./worker-registration.ts";

/**
 * Returns why push is unavailable in this browser, or undefined if it is available. A browser that blocks the site's
 * cookies allows no service worker either, so a yes would fail after the browser's question. Safari on iOS and iPadOS
 * supports push only in a site that was added to the home screen. On these systems, `navigator.standalone` exists,
 * and is false in a browser tab. Versions before 16.4 have no push on the home screen, and no `adoptedStyleSheets`.
 */
export function whyUnsupported({ memory, hasNoWorkers }: PageContext): "unsupported" | "install" | undefined {
  if (!("adoptedStyleSheets" in document) || memory.isBlocked() || hasNoWorkers) return "unsupported";
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) return undefined;
  return "standalone" in navigator && navigator.standalone === false ? "install" : "unsupported";
}

/**
 * Returns the state of this browser at the site. If the subscription cannot be read, the state is unsubscribed. If
 * the browser refuses to look for workers, the state is unsupported, because it would refuse to register one.
 */
export async function readState(context: PageContext): Promise<State> {
  let unsupported = whyUnsupported(context);
  if (unsupported) return unsupported;
  if (Notification.permission === "denied") return "denied";
  const subscription = await findSubscription(context).catch(({ reason }) => {
    context.hasNoWorkers = reason !== "push";
    return null;
  });
  unsupported = whyUnsupported(context);
  if (unsupported) return unsupported;
  return subscription && isOurs(context, subscription) ? "subscribed" : "unsubscribed";
}

/** Returns the subscription of our worker, which may be another script's if the worker is shared. */
export async function findSubscription({ snippet }: PageContext): Promise<PushSubscription | null> {
  const registration = await findWorker(snippet);
  return registration ? withReason("push", registration.pushManager.getSubscription()) : null;
}

/** Returns whether a subscription is ours. In a shared worker, only the subscription in our memory is ours. */
export function isOurs({ snippet, memory }: PageContext, { endpoint }: PushSubscription): boolean {
  return !snippet.sharesWorker || endpoint === memory.read().subscription?.endpoint;
}
