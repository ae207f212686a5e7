import type { State } from "./api.ts";
import type { PageContext } from "./context.ts";
import { withReason } from "./failure.ts";
import { findWorker } from "./worker-registration.ts";

/**
 * Returns why push is unavailable in this browser, or undefined if it is available. A browser that blocks the site's
 * cookies has no service worker either, and a yes would fail after the browser's question. Safari on iOS and iPadOS
 * supports push only in a site that was added to the home screen: there `navigator.standalone` exists and is false.
 * Constructable style sheets (`adoptedStyleSheets`) came with the same version, 16.4: older versions have no push on the
 * home screen either.
 */
export function whyUnsupported({ memory, hasNoWorkers }: PageContext): "unsupported" | "install" | undefined {
  if (!("adoptedStyleSheets" in document) || memory.isBlocked() || hasNoWorkers) return "unsupported";
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) return undefined;
  return "standalone" in navigator && navigator.standalone === false ? "install" : "unsupported";
}

/**
 * Returns the state of this browser at the site. A failure to read the subscription counts as unsubscribed, and where the
 * browser refuses to look for workers it would refuse to register one.
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

/** Returns whether a subscription is ours. In a shared worker only the one in our memory is. */
export function isOurs({ snippet, memory }: PageContext, { endpoint }: PushSubscription): boolean {
  return !snippet.sharesWorker || endpoint === memory.read().subscription?.endpoint;
}
