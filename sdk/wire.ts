import { addressOf, type OldSubscription } from "./subscription.ts";

/** `base`: the service's public address, without a trailing slash. */
export type Site = { base: string; siteId: string };

/** A receipt of a notification. `token`: the signed token in the payload of its message. */
export type Receipt = { token: string; kind: "displayed" | "clicked" | "dismissed" | "action1" | "action2" };

/** Returns the receipts of a click. `button`: "1" or "2" for a click on a button, which is also counted separately. */
export function clicksOf(token: string, button?: string): Receipt[] {
  return [{ token, kind: "clicked" }, ...(button ? [{ token, kind: `action${button}` } as Receipt] : [])];
}

/** The service's answer to a registration. `label`: the label of a test device, null for a reader. */
export type Registered = { topicIds: string[]; isTest: boolean; label: string | null };

/**
 * `topicIds`: the chosen topics. `replaces`: the earlier subscription that this one replaces. `testToken`: the token
 * of a test device. `migrated`: the browser had a subscription of another push service. `consent`: the version of the
 * prompt to which the reader said yes, or `page`. `reportsDisplays`: whether the browser's worker shows
 * notifications. `background`: the service worker registers the subscription, so the reader may not be on the site.
 */
export type RegisterOptions = {
  topicIds?: string[] | undefined;
  replaces?: OldSubscription | undefined;
  testToken?: string | undefined;
  migrated?: boolean | undefined;
  consent?: string | undefined;
  reportsDisplays?: boolean;
  background?: true;
};

type Count = "visit" | "prompted" | "asked" | "granted" | "denied";

const limitMs = 10_000;

/** Registers or confirms a subscription at the service. Throws if the service refuses it. */
export async function register(
  { base, siteId }: Site,
  subscription: PushSubscription,
  options: RegisterOptions = {},
): Promise<Registered> {
  const { endpoint, keys } = subscription.toJSON();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const body = { subscription: { endpoint, keys }, timeZone, language: navigator.language, ...options };
  return readJson(`${base}/sdk/sites/${siteId}/subscriptions`, body);
}

/** Deletes a subscription at the service. `token`: the token of the message to which the unsubscribe is counted. */
export async function unregister(
  { base, siteId }: Site,
  subscription: PushSubscription,
  token?: string,
): Promise<void> {
  const body = { ...addressOf(subscription), token };
  const { ok, status } = await request(`${base}/sdk/sites/${siteId}/unsubscribe`, body, json);
  if (!ok) throw Error(`HTTP ${status}`);
}

/** Deletes everything that the service knows about a subscription. */
export async function erase({ base, siteId }: Site, subscription: PushSubscription): Promise<void> {
  const { ok, status } = await request(`${base}/sdk/sites/${siteId}/erasure`, addressOf(subscription), json);
  if (!ok) throw Error(`HTTP ${status}`);
}

/**
 * Sends at most 50 receipts and returns the HTTP status. Sends them as text/plain, because JSON would need a CORS
 * preflight.
 */
export async function sendReceipts(base: string, events: Receipt[]): Promise<number> {
  return (await request(`${base}/sdk/events`, { events })).status;
}

/**
 * Counts an event on a page of the site. The service only adds up the counts. `prompt`: the version of the prompt
 * that the event is about, if there is one. Sent as text/plain, without a CORS preflight.
 */
export function count({ base, siteId }: Site, count: Count, prompt?: string | true): void {
  request(`${base}/sdk/sites/${siteId}/counts`, { count, prompt }).catch(() => {});
}

/** Counts an outcome of a click on the notification of `token`. The service only adds up the counts. */
export function countOutcome({ base, siteId }: Site, outcome: string, token: string): void {
  request(`${base}/sdk/sites/${siteId}/counts`, { count: "outcome", outcome, token }).catch(() => {});
}

/** Reads JSON with GET, or with POST if there is a `body`. Throws with the service's message if the service refuses. */
export async function readJson<T>(url: string, body?: unknown): Promise<T> {
  const response = await request(url, body, json);
  const read = await response.json();
  if (!response.ok) throw Error(read.message);
  return read;
}

const json = "application/json";

/**
 * Sends a request with `keepalive`, so that it is sent even if its page or worker ends. Throws if the service cannot
 * be reached.
 */
function request(url: string, body?: unknown, type = "text/plain"): Promise<Response> {
  return fetch(url, {
    method: body ? "POST" : "GET",
    body: JSON.stringify(body),
    headers: body ? { "content-type": type } : {},
    credentials: "omit",
    keepalive: true,
    signal: AbortSignal.timeout(limitMs),
  });
}
