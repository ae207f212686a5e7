import type { App } from "../../app.ts";
import { inTenant } from "../../db/pool.ts";
import { isId } from "../../ids.ts";
import { countRequest, isOver, refuseOverLimit } from "../../rate-limits/count-requests.ts";
import { hubPushLimit } from "../../rate-limits/limits.ts";
import type { FeedRecord } from "../feed.ts";
import { ingestEntries } from "../items/ingest-entries.ts";
import { feedTask } from "../parse/parse-feed.ts";
import { pollSoon, pollWithin } from "../poll/queries.ts";
import { feedById } from "../queries.ts";
import { hubSecrets, isSignedBy } from "./hub-secret.ts";
import { recordHubPush } from "./queries.ts";

/**
 * The outcome of a push. `gone`: there is no such subscription, and the hub may delete it. `ignored`: the feed's hub
 * did not sign it.
 */
export type PushOutcome = "received" | "ignored" | "gone";

/** Returns whether a feed expects pushes. Checked before the body of a push is read. */
export async function isPushExpected(app: App, feedId: string): Promise<boolean> {
  return (await feedWithHub(app, feedId)) !== undefined;
}

/**
 * Receives a push of a hub (WebSub section 7) and ingests its entries. The body is the feed's document, or holds only
 * new entries. If it cannot be read, the feed's next poll is due at once. `signature`: the X-Hub-Signature header.
 * Throws `rate_limited` beyond the feed's limit of pushes.
 */
export async function receivePush(
  app: App,
  input: { feedId: string; signature: string; body: Buffer; charset?: string },
): Promise<PushOutcome> {
  const feed = await feedWithHub(app, input.feedId);
  if (feed === undefined) return "gone";
  const { id, hubUrl, hubTopic, tenantId } = feed;
  const secrets = hubSecrets(app.secrets, { id, hubUrl });
  if (!secrets.some((secret) => isSignedBy(secret, input.signature, input.body))) return "ignored";
  await countPush(app, id);
  const { body, charset } = input;
  const document = { url: hubTopic!, body, ...(charset === undefined ? {} : { charset }) };
  const parsed = await app.parser.parse(feedTask, document, `feed:${tenantId}`);
  const entries = parsed.kind === "parsed" ? (parsed.value?.entries ?? []) : [];
  await inTenant(app.db, tenantId, async (tx) => {
    // Before the first poll, nothing shows which entries are new, so that poll must come first.
    const isReadable = entries.length > 0 && feed.seededAt !== null;
    const { newItems } = isReadable
      ? await ingestEntries(app, tx, { feedId: id, entries, sourceHost: feed.documentHost, poll: null })
      : { newItems: 0 };
    await recordHubPush(tx, id);
    if (!isReadable) await pollSoon(tx, id);
    if (newItems > 0) app.log.info({ feedId: id, newItems }, "a feed's hub pushed new items");
  });
  return "received";
}

/**
 * Counts a push with the hub's signature. Other pushes do not count, so that somebody who only knows the address
 * cannot use up the limit. A push beyond the limit is not read, and the feed is polled soon for its entries.
 */
async function countPush(app: App, feedId: string): Promise<void> {
  const allowance = await countRequest(app, hubPushLimit, feedId);
  if (isOver(allowance)) await pollWithin(app.db, feedId, hubPushLimit.windowSeconds);
  refuseOverLimit([allowance]);
}

async function feedWithHub(app: App, feedId: string): Promise<(FeedRecord & { hubUrl: string }) | undefined> {
  const feed = isId(feedId) ? await feedById(app.db, feedId) : undefined;
  if (feed === undefined || !feed.enabled || feed.hubUrl === null) return undefined;
  return { ...feed, hubUrl: feed.hubUrl };
}
