import type { App } from "../../app.ts";
import { inTenant } from "../../db/pool.ts";
import { isId } from "../../ids.ts";
import { ingestEntries } from "../items/ingest-entries.ts";
import { parseInThread } from "../parse/parse-in-thread.ts";
import { feedById, pollSoon } from "../queries.ts";
import { hubSecret, isSignedBy } from "./hub-secret.ts";
import { recordHubPush } from "./queries.ts";

/** `gone`: nobody wants this any more, and the hub may forget it. `ignored`: not signed by the feed's hub. */
export type PushOutcome = "taken" | "ignored" | "gone";

/** Whether there is a feed that wants to be told: asked before the body is read. */
export async function isPushWanted(app: App, feedId: string): Promise<boolean> {
  const feed = isId(feedId) ? await feedById(app.db, feedId) : undefined;
  return feed?.enabled === true && feed.hubUrl !== null;
}

/**
 * Takes in what a hub tells of a feed (WebSub section 7): the feed, or only what is new in it. What cannot be read leads
 * to a poll at once. `signature`: X-Hub-Signature.
 */
export async function receivePush(
  app: App,
  input: { feedId: string; signature: string; body: Buffer; charset?: string },
): Promise<PushOutcome> {
  const feed = isId(input.feedId) ? await feedById(app.db, input.feedId) : undefined;
  if (feed === undefined || !feed.enabled || feed.hubUrl === null) return "gone";
  const { id, hubUrl, hubTopic, tenantId } = feed;
  if (!isSignedBy(hubSecret(app.secrets, { id, hubUrl }), input.signature, input.body)) return "ignored";
  const { body, charset } = input;
  const read = await parseInThread({ url: hubTopic!, body, ...(charset === undefined ? {} : { charset }) });
  const entries = read?.entries ?? [];
  await inTenant(app.db, tenantId, async (tx) => {
    const isFirst = feed.seededAt === null;
    // Before its first poll nobody knows what is new: the poll has to come first.
    const taken = entries.length === 0 || isFirst ? null : await ingestEntries(tx, id, entries, "push");
    await recordHubPush(tx, id);
    if (taken === null) await pollSoon(tx, id);
    else if (taken.newItems > 0)
      app.log.info({ feedId: id, newItems: taken.newItems }, "a feed's hub told of new items");
  });
  return "taken";
}
