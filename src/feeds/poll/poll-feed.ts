import type { App } from "../../app.ts";
import { inTenant } from "../../db/pool.ts";
import type { PollResult } from "../feed.ts";
import { ingestEntries } from "../items/ingest-entries.ts";
import { httpsOf } from "../items/item-url.ts";
import { type Fetched, finishPoll, type PollClaim, returnPoll } from "../queries.ts";
import { type FetchedFeed, fetchFeed } from "./fetch-feed.ts";
import { nextPoll, type PollFacts } from "./next-poll.ts";

/** Where nothing could be said of the feed. */
const soonMs = 5_000;

/** `none`: ended from here, or another process has the feed by now. */
export type PollOutcome = PollResult | { outcome: "none" };

/**
 * Polls a feed that the caller has claimed: fetches it unless it is unchanged, takes in what is new, and says when the
 * next poll is. All in one transaction, so that a process that dies before it has polled nothing.
 */
export async function pollFeed(app: App, claim: PollClaim, signal?: AbortSignal): Promise<PollOutcome> {
  const { url, etag, lastModified, bodyHash } = claim;
  const known = { etag, lastModified, bodyHash };
  const answer = await fetchFeed(app, { url, who: `feed:${claim.tenantId}`, known, ...(signal && { signal }) });
  if (answer.kind === "none") {
    await returnPoll(app.db, claim, soonMs);
    return { outcome: "none" };
  }
  return inTenant(app.db, claim.tenantId, async (tx) => {
    const base =
      answer.kind === "failed" ? { code: answer.code, message: answer.message } : { code: null, message: null };
    const outcome = answer.kind;
    const { afterMs, because } = nextPoll(factsOf(app, claim, answer));
    const result = { outcome, ...base, newItems: 0, everySeconds: Math.round(afterMs / 1_000), because };
    const fetched = answer.kind === "read" ? keptOf(answer) : null;
    // The claim first: it locks the feed, and what another has taken over meanwhile is left to that one.
    if (!(await finishPoll(tx, claim, { result, fetched, afterMs }))) return { outcome: "none" };
    if (answer.kind !== "read") return result;
    const { newItems } = await ingestEntries(tx, claim.id, answer.feed.entries, "poll");
    if (newItems === 0) return result;
    // Now it is lively.
    const lively = nextPoll({ ...factsOf(app, claim, answer), quietForMs: 0, isPushed: false });
    const told = { ...result, newItems, everySeconds: Math.round(lively.afterMs / 1_000), because: lively.because };
    await finishPoll(tx, claim, { result: told, fetched: null, afterMs: lively.afterMs });
    return told;
  });
}

function factsOf(app: App, claim: PollClaim, answer: Exclude<FetchedFeed, { kind: "none" }>): PollFacts {
  const lastMs = Math.max(claim.newItemAt?.getTime() ?? 0, claim.seededAt?.getTime() ?? app.now());
  const toldMs = claim.hubToldAt?.getTime() ?? 0;
  return {
    failures: answer.kind === "failed" ? claim.failures + 1 : 0,
    retryAfterMs: answer.kind === "failed" ? answer.retryAfterMs : null,
    freshMs: answer.kind === "failed" ? 0 : answer.freshMs,
    ttlMinutes: answer.kind === "read" ? answer.feed.ttlMinutes : claim.ttlMinutes,
    quietForMs: app.now() - lastMs,
    isPushed: claim.hubState === "active" && toldMs > (claim.hubMissedAt?.getTime() ?? 0),
    random: Math.random(),
  };
}

function keptOf({ url, feed, etag, lastModified, bodyHash }: Extract<FetchedFeed, { kind: "read" }>): Fetched {
  const hub = feed.hubs[0] === undefined ? null : { url: httpsOf(feed.hubs[0]), topic: feed.self ?? url };
  return { etag, lastModified, bodyHash, ttlMinutes: feed.ttlMinutes, title: feed.title, hub };
}
