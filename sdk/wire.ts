import { addressOf, type OldSubscription } from "./subscription.ts";

/** `base`: the service's public address, without a trailing slash. */
export type Site = { base: string; siteId: string };

/** A receipt of a notification. `token`: the signed token in the payload of its message. */
export type Receipt = { token: string; kind: "displayed" | "clicked" | "dismissed" | "action1" | "action2" };

/** The receipts of a click; `button`: "1" or "2" for a click on a button, which counts apart too. */
export function clicksOf(token: string, button?: string): Receipt[] {
  return [{ token, kind: "clicked" }, ...(button ? [{ token, kind: `action${button}` } as Receipt] : [])];
}

/** The service's answer to a registration. `label`: the label of a test device, else null. */
export type Registered = { topicIds: string[]; isTest: boolean; label: string | null };

/**
 * Chosen topics, the earlier subscription that this one replaces, and the token of a test device. `migrated`: the
 * browser had a subscription of another push service. `consent`: the version of the prompt to which the reader said
 * yes, or `page`. `reportsDisplays`: whether the browser's worker shows notifications. `background`: the service worker
 * confirms it, and the reader need not be on the site.
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

/** Deletes a subscription at the service. `token`: the message that the unsubscribe is counted for. */
export async function unregister(
  { base, siteId }: Site,
  subscription: PushSubscription,
  token?: string,
): Promise<void> {
  const body = { ...addressOf(subscription), token };
  const { ok, status } = await request(`${base}/sdk/sites/${siteId}/unsubscribe`, body, json);
  if (!ok) throw Error(`HTTP ${status}`);
}

/** Deletes all that the service knows of a subscription. */
export async function erase({ base, siteId }: Site, subscription: PushSubscription): Promise<void> {
  const { ok, status } = await request(`${base}/sdk/sites/${siteId}/erasure`, addressOf(subscription), json);
  if (!ok) throw Error(`HTTP ${status}`);
}

/**
 * Sends at most 50 receipts and returns the HTTP status. Sent as text/plain, because JSON would need a CORS preflight.
 */
export async function sendReceipts(base: string, events: Receipt[]): Promise<number> {
  return (await request(`${base}/sdk/events`, { events })).status;
}

/**
 * Reports that something happened on a page of the site: the service only adds them up. `prompt`: the version of the
 * prompt that it is about, if it is one. Sent as text/plain, without a CORS preflight.
 */
export function count({ base, siteId }: Site, count: Count, prompt?: string | true): void {
  request(`${base}/sdk/sites/${siteId}/counts`, { count, prompt }).catch(() => {});
}

/** Reports that `outcome` has followed a click on the notification of `token`: the service only adds them up. */
export function countOutcome({ base, siteId }: Site, outcome: string, token: string): void {
  request(`${base}/sdk/sites/${siteId}/counts`, { count: "outcome", outcome, token }).catch(() => {});
}

/** GETs JSON, or POSTs `body` if given. Throws with the service's message if it refuses. */
export async function readJson<T>(url: string, body?: unknown): Promise<T> {
  const response = await request(url, body, json);
  const read = await response.json();
  if (!response.ok) throw Error(read.message);
  return read;
}

const json = "application/json";

/** `keepalive`: the request is sent even if its page or worker ends. Throws if the service cannot be reached. */
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
