import { addressOf, type OldSubscription } from "./subscription.ts";

/** Where a site is served: `base` is the service's public address, without a slash at its end. */
export type Site = { base: string; siteId: string };

/** What a reader does with a nudge. The token is the signed one of its payload. */
export type Receipt = { token: string; kind: "displayed" | "clicked" | "dismissed" };

/** What the service knows of a browser after it was told. `label` is set for a test device. */
export type Registered = { topicIds: string[]; isTest: boolean; label: string | null };

/** What may be told with a subscription: the reader's choice, the subscription it takes the place of, a test device's token. */
export type RegisterOptions = {
  topicIds?: string[] | undefined;
  replaces?: OldSubscription | undefined;
  testToken?: string | undefined;
};

const limitMs = 10_000;

/** Tells the service of a subscription: a new one, or again that a known one is still there. Throws where it does not take it. */
export async function register(
  { base, siteId }: Site,
  subscription: PushSubscription,
  options: RegisterOptions = {},
): Promise<Registered> {
  const { endpoint, keys } = subscription.toJSON();
  const body = { subscription: { endpoint, keys }, ...options };
  return readJson(`${base}/sdk/sites/${siteId}/subscriptions`, body);
}

/** Tells the service that the reader leaves. `token`: the message from which, so that it is counted there. */
export async function unregister(
  { base, siteId }: Site,
  subscription: PushSubscription,
  token?: string,
): Promise<void> {
  const body = { ...addressOf(subscription), token };
  const { ok, status } = await request(`${base}/sdk/sites/${siteId}/unsubscribe`, body, json);
  if (!ok) throw Error(`HTTP ${status}`);
}

/** Sends at most 50 receipts, and gives the answer's status. As text: browsers ask the service first before they send JSON. */
export async function sendReceipts(base: string, events: Receipt[]): Promise<number> {
  return (await request(`${base}/sdk/events`, { events })).status;
}

/** GETs JSON, or POSTs it where there is a body. Throws, where the service refuses with its own sentence. */
export async function readJson<T>(url: string, body?: unknown): Promise<T> {
  const answer = await request(url, body, json);
  const read = await answer.json();
  if (!answer.ok) throw Error(read.message);
  return read;
}

const json = "application/json";

/** `keepalive`: what is told leaves although its page or worker ends. Throws where the service cannot be reached. */
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
