import type { App } from "../../app.ts";
import { isId } from "../../ids.ts";
import { claimLeaseMs, createFairWork } from "../fair-work.ts";
import { feedById } from "../queries.ts";
import { hubSecret } from "./hub-secret.ts";
import { claimHub, type HubClaim, holdHub, recordHubLease, recordHubRefusal } from "./queries.ts";

/** The lease that a hub is asked for. It may grant another, within these bounds. */
const usualLeaseSeconds = 10 * 24 * 60 * 60;
/** The shortest lease. A shorter one would be renewed all the time. */
const minLeaseSeconds = 60;
/** The longest lease. A longer one could outlive the feed. */
const maxLeaseSeconds = 90 * 24 * 60 * 60;
/** The pause before a hub that does not confirm the subscription is asked again. */
const unansweredAgainMs = 60 * 60_000;
const refusedAgainMs = 24 * 60 * 60_000;
const maxChallengeLength = 4_096;

const limits = { inAll: 4, ofTenant: 2, ofHost: 2, slow: 4 };

/**
 * Creates the work that asks every hub whose feed has no subscription, or one that is due for renewal. Asks none
 * without PUBLIC_URL.
 */
export const hubWork = (app: App) =>
  createFairWork({
    limits,
    claim: async (full) => (app.config.PUBLIC_URL === undefined ? undefined : claimHub(app.db, claimLeaseMs, full)),
    renew: ({ id }) => holdHub(app.db, id, claimLeaseMs),
    work: (claim, signal) => askClaimed(app, claim, signal),
  });

/** Asks a claimed hub. If that breaks off, the hub is asked again when the claim lapses. */
async function askClaimed(app: App, claim: HubClaim, signal: AbortSignal): Promise<void> {
  const onFault = (error: unknown) =>
    app.log.error({ err: error, feedId: claim.id }, "a feed's hub could not be asked; will retry");
  await subscribeToHub(app, claim, signal).catch(onFault);
  if (!signal.aborted) await holdHub(app.db, claim.id, unansweredAgainMs).catch(onFault);
}

/**
 * Asks a hub for a subscription (WebSub section 5.1). The hub confirms it with a request of its own, which
 * `confirmSubscription` answers. A hub that refuses is asked again a day later.
 */
async function subscribeToHub(app: App, claim: HubClaim, signal: AbortSignal): Promise<void> {
  const body = new URLSearchParams({
    "hub.callback": `${app.config.PUBLIC_URL!.replace(/\/$/, "")}/websub/${claim.id}`,
    "hub.mode": "subscribe",
    "hub.topic": claim.hubTopic,
    "hub.secret": hubSecret(app.secrets, claim),
    "hub.lease_seconds": String(usualLeaseSeconds),
  }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const request = {
    method: "POST" as const,
    headers,
    body,
    requester: `feed:${claim.tenantId}`,
    anyType: true,
    cuts: true,
  };
  const result = await app.pages.request(claim.hubUrl, { ...request, signal });
  const isRefusal =
    result.kind === "refused" || (result.kind === "answer" && result.status >= 300 && result.status < 500);
  if (!isRefusal) return;
  app.log.warn({ feedId: claim.id, hub: claim.hubUrl }, "a feed's hub refuses; the feed is polled");
  await recordHubRefusal(app.db, claim.id, refusedAgainMs);
}

/**
 * Answers a hub that verifies a subscription (WebSub section 5.3) or denies it (section 5.2). `query`: the parameters
 * of its request. Returns the challenge to send back, "" for a denial, or null if no such request is pending. Only a
 * request that Pressbell has sent is confirmed or denied, and only once. The hub's answer carries no signature, so
 * anyone who learns the callback could otherwise extend a lease or end the pushes. Pressbell never unsubscribes: a
 * feed that is off answers pushes with 410, and its lease runs out.
 */
export async function confirmSubscription(app: App, input: { feedId: string; query: unknown }): Promise<string | null> {
  const feed = isId(input.feedId) ? await feedById(app.db, input.feedId) : undefined;
  const query = (input.query ?? {}) as Record<string, unknown>;
  const topic = query["hub.topic"];
  if (!feed?.enabled || feed.hubTopic === null || feed.hubTopic !== topic || !feed.isHubAsked) return null;
  if (query["hub.mode"] === "denied") {
    await recordHubRefusal(app.db, feed.id, refusedAgainMs);
    return "";
  }
  const challenge = query["hub.challenge"];
  if (query["hub.mode"] !== "subscribe") return null;
  if (typeof challenge !== "string" || challenge === "" || challenge.length > maxChallengeLength) return null;
  const leaseSeconds = leaseOf(query["hub.lease_seconds"]);
  if (!(await recordHubLease(app.db, feed.id, { topic: feed.hubTopic, leaseSeconds }))) return null;
  app.log.info({ feedId: feed.id, hub: feed.hubUrl }, "a feed's hub has confirmed the subscription");
  return challenge;
}

/** Returns the lease in seconds that a hub grants, within our bounds. Returns the usual lease if the hub names none. */
function leaseOf(given: unknown): number {
  const seconds = typeof given === "string" && /^\d{1,12}$/.test(given) ? Number(given) : usualLeaseSeconds;
  return Math.min(maxLeaseSeconds, Math.max(minLeaseSeconds, seconds));
}
