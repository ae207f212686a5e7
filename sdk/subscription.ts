/** What proves that a subscription was this browser's: its secret is known to nobody else but the service. */
export type OldSubscription = { endpoint: string; auth: string };

/** A subscription by what it is found again. */
export function addressOf(subscription: PushSubscription): OldSubscription {
  return { endpoint: subscription.endpoint, auth: subscription.toJSON().keys?.auth ?? "" };
}

/** Whether `subscription` was made with this VAPID key (base64url). A browser that does not say is believed. */
export function hasKey(subscription: PushSubscription, vapidPublicKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  return !key || toBase64Url(key) === vapidPublicKey;
}

/** Subscribes with this VAPID key. Can fail, and in Chromium hang. */
export function subscribeWith(
  registration: ServiceWorkerRegistration,
  vapidPublicKey: string,
): Promise<PushSubscription> {
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidPublicKey });
}

function toBase64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
