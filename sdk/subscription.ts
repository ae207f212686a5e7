/**
 * Identifies an earlier subscription, and proves that it belonged to this browser, because only the service also
 * knows `auth`.
 */
export type OldSubscription = { endpoint: string; auth: string };

/** Returns what identifies a subscription at the service. */
export function addressOf(subscription: PushSubscription): OldSubscription {
  return { endpoint: subscription.endpoint, auth: subscription.toJSON().keys?.auth ?? "" };
}

/**
 * Returns whether a subscription has this VAPID key (base64url). Returns true if the browser does not expose its key.
 */
export function hasKey(subscription: PushSubscription, vapidPublicKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  return !key || lettersOf(btoa(String.fromCharCode(...new Uint8Array(key)))) === lettersOf(vapidPublicKey);
}

/** Subscribes with this VAPID key (base64url). Can fail. In Chromium it can stay pending forever. */
export function subscribeWith(
  registration: ServiceWorkerRegistration,
  vapidPublicKey: string,
): Promise<PushSubscription> {
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidPublicKey });
}

/**
 * Returns the characters that base64 and base64url have in common. Two random keys never have all letters and digits
 * equal.
 */
function lettersOf(text: string): string {
  return text.replace(/\W|_/g, "");
}
