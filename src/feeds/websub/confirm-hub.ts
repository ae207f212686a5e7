import type { App } from "../../app.ts";
import { isId } from "../../ids.ts";
import { feedById } from "../queries.ts";
import { recordHubLease, recordHubRefusal } from "./queries.ts";

/** Shorter leases would be renewed all the time, longer ones outlive what they were for. */
const shortestLease = 60;
const longestLease = 90 * 24 * 60 * 60;
const usualLease = 10 * 24 * 60 * 60;
const maxChallenge = 4_096;
const refusedAgainMs = 24 * 60 * 60_000;

/**
 * Answers a hub that asks whether we want what it was asked for (WebSub section 5.3), or that says that we do not get it
 * (section 5.2). `query`: its parameters, as they came. Returns the challenge to send back, "" to a denial, or null:
 * nobody here wants that. Nothing is ever unsubscribed: a feed that is off answers 410, and its lease runs out.
 */
export async function confirmHub(app: App, input: { feedId: string; query: unknown }): Promise<string | null> {
  const feed = isId(input.feedId) ? await feedById(app.db, input.feedId) : undefined;
  const asked = (input.query ?? {}) as Record<string, unknown>;
  const isOurs = feed?.enabled && feed.hubTopic === asked["hub.topic"] && feed.hubState !== null;
  if (!isOurs) return null;
  if (asked["hub.mode"] === "denied") {
    await recordHubRefusal(app.db, feed.id, refusedAgainMs);
    return "";
  }
  const challenge = asked["hub.challenge"];
  if (asked["hub.mode"] !== "subscribe" || feed.hubState === "refused") return null;
  if (typeof challenge !== "string" || challenge === "" || challenge.length > maxChallenge) return null;
  await recordHubLease(app.db, feed.id, leaseOf(asked["hub.lease_seconds"]));
  app.log.info({ feedId: feed.id, hub: feed.hubUrl }, "a feed's hub will tell of what is new");
  return challenge;
}

function leaseOf(given: unknown): number {
  const seconds = typeof given === "string" && /^\d{1,12}$/.test(given) ? Number(given) : usualLease;
  return Math.min(longestLease, Math.max(shortestLease, seconds));
}
