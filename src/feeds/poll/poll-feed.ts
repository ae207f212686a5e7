import type { App } from "../../app.ts";
import { inTenant } from "../../db/pool.ts";
import { said } from "../../messages.ts";
import type { PollResult } from "../feed.ts";
import { ingestEntries } from "../items/ingest-entries.ts";
import { httpsOf } from "../web-address.ts";
import { endFeed } from "./end-feed.ts";
import { type FetchedFeed, feedFaults, fetchFeed } from "./fetch-feed.ts";
import { followMove } from "./follow-move.ts";
import { nextPoll, type PollFacts } from "./next-poll.ts";
import { notifyOfFailure } from "./notify-of-failure.ts";
import { finishPoll, type PollClaim, type PolledDocument, releasePoll } from "./queries.ts";

/** The pause after a poll that shows nothing about the feed. */
const soonMs = 5_000;

/** `none`: the poll was aborted, all fetch slots were taken, or another process has claimed the feed since. */
export type PollOutcome = PollResult | { outcome: "none" };

/**
 * Polls a feed that the caller has claimed. Fetches the document unless it is unchanged, ingests its entries, and sets
 * the time of the next poll, all in one transaction after the fetch. A process that dies before the commit leaves the
 * feed as it was. `signal` aborts the fetch.
 */
export async function pollFeed(app: App, claim: PollClaim, signal?: AbortSignal): Promise<PollOutcome> {
  const { url, etag, lastModified, bodyHash } = claim;
  const known = { etag, lastModified, bodyHash };
  const answer = await fetchFeed(app, { url, who: `feed:${claim.tenantId}`, known, ...(signal && { signal }) });
  if (answer.kind === "none") {
    await releasePoll(app.db, claim, soonMs);
    return { outcome: "none" };
  }
  return inTenant(app.db, claim.tenantId, async (tx) => {
    const fault =
      answer.kind === "failed"
        ? { code: answer.code, ...said(answer.message) }
        : { code: null, message: null, messageCode: null, params: null };
    const { afterMs, because } = nextPoll(factsOf(claim, answer));
    const everySeconds = Math.round(afterMs / 1_000);
    const result = { outcome: answer.kind, ...fault, newItems: 0, everySeconds, because: said(because) };
    const document = answer.kind === "read" ? documentOf(answer) : null;
    // This comes first, because it locks the feed. If another process has claimed it since, this poll must not ingest
    // anything.
    if (!(await finishPoll(tx, claim, { result, document, afterMs }))) return { outcome: "none" };
    if (answer.kind === "failed") {
      if (answer.code === "gone") await endFeed(app, tx, claim);
      else await notifyOfFailure(app, tx, claim, answer.message.message);
    }
    if (answer.kind !== "failed" && answer.movedTo !== null) await followMove(app, tx, claim, answer.movedTo);
    if (answer.kind !== "read") return result;
    const { newItems } = await ingestEntries(app, tx, {
      feedId: claim.id,
      entries: answer.feed.entries,
      sourceHost: document!.host,
      poll: { sinceMs: claim.workedAt?.getTime() ?? null, nowMs: claim.claimedAt.getTime() },
    });
    if (newItems === 0) return result;
    // The feed has new items, which its hub has missed. Both facts shorten the pause that was computed above.
    const next = nextPoll({ ...factsOf(claim, answer), quietForMs: 0, isPushed: false });
    const finalResult = {
      ...result,
      newItems,
      everySeconds: Math.round(next.afterMs / 1_000),
      because: said(next.because),
    };
    await finishPoll(tx, claim, { result: finalResult, document: null, afterMs: next.afterMs });
    return finalResult;
  });
}

/** Ends a claim whose poll met a fault in Pressbell. The feed shows the fault, and backs off as after a failed poll. */
export async function recordFault(app: App, claim: PollClaim): Promise<void> {
  const fault = { kind: "failed", code: "internal", message: feedFaults.internal(), retryAfterMs: null } as const;
  const { afterMs, because } = nextPoll(factsOf(claim, fault));
  const everySeconds = Math.round(afterMs / 1_000);
  const { kind: outcome, code, message } = fault;
  const result = { outcome, code, ...said(message), newItems: 0, everySeconds, because: said(because) };
  await inTenant(app.db, claim.tenantId, async (tx) => {
    if (!(await finishPoll(tx, claim, { result, document: null, afterMs }))) return;
    await notifyOfFailure(app, tx, claim, message.message);
  });
}

function factsOf(claim: PollClaim, answer: Exclude<FetchedFeed, { kind: "none" }>): PollFacts {
  // Both times are by the database's clock. This machine's clock may be hours off.
  const claimedMs = claim.claimedAt.getTime();
  const lastNewMs = Math.max(claim.newItemAt?.getTime() ?? 0, claim.seededAt?.getTime() ?? claimedMs);
  const pushedMs = claim.hubPushedAt?.getTime() ?? 0;
  return {
    failures: answer.kind === "failed" ? claim.failures + 1 : 0,
    retryAfterMs: answer.kind === "failed" ? answer.retryAfterMs : null,
    freshMs: answer.kind === "failed" ? 0 : answer.freshMs,
    ttlMinutes: answer.kind === "read" ? answer.feed.ttlMinutes : claim.ttlMinutes,
    pollSeconds: claim.pollSeconds,
    quietForMs: claimedMs - lastNewMs,
    isPushed: claim.hubState === "active" && pushedMs > (claim.hubMissedAt?.getTime() ?? 0),
    random: Math.random(),
  };
}

/** Returns what is stored of a document. Uses its first hub, with the feed's own address (`self`) as the topic. */
function documentOf({
  url,
  feed,
  etag,
  lastModified,
  bodyHash,
}: Extract<FetchedFeed, { kind: "read" }>): PolledDocument {
  const hub = feed.hubs[0] === undefined ? null : { url: httpsOf(feed.hubs[0]), topic: feed.self ?? url };
  const { hostname: host } = new URL(url);
  return { etag, lastModified, bodyHash, ttlMinutes: feed.ttlMinutes, title: feed.title, host, hub };
}
