import type { App } from "../../app.ts";
import { hubSecret } from "./hub-secret.ts";
import { type HubClaim, recordHubRefusal } from "./queries.ts";

/** What is asked for; the hub may give another lease. */
const leaseSeconds = 10 * 24 * 60 * 60;
const refusedAgainMs = 24 * 60 * 60_000;

/** The address at which a hub reaches this service. */
export function callbackOf(publicUrl: string, feedId: string): string {
  return `${publicUrl.replace(/\/$/, "")}/websub/${feedId}`;
}

/**
 * Asks a hub to tell of what is new in a feed (WebSub section 5.1); needs PUBLIC_URL. Its agreement comes as a request of
 * its own, to `confirmHub`. A hub that refuses is asked again a day later, one that does not answer as its claim says.
 */
export async function subscribeHub(app: App, claim: HubClaim, signal?: AbortSignal): Promise<void> {
  const body = new URLSearchParams({
    "hub.callback": callbackOf(app.config.PUBLIC_URL!, claim.id),
    "hub.mode": "subscribe",
    "hub.topic": claim.hubTopic,
    "hub.secret": hubSecret(app.secrets, claim),
    "hub.lease_seconds": String(leaseSeconds),
  }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const asked = { method: "POST" as const, headers, body, requester: `feed:${claim.tenantId}`, anyType: true };
  const result = await app.pages.request(claim.hubUrl, { ...asked, cuts: true, ...(signal && { signal }) });
  const isRefusal =
    result.kind === "refused" || (result.kind === "answer" && result.status >= 300 && result.status < 500);
  if (!isRefusal) return;
  app.log.warn({ feedId: claim.id, hub: claim.hubUrl }, "a feed's hub refuses; the feed is polled");
  await recordHubRefusal(app.db, claim.id, refusedAgainMs);
}
