import type { App } from "../app.ts";
import { publicBase } from "../config.ts";
import type { Tx } from "../db/pool.ts";
import { queueEmail } from "../mail/queue-email.ts";
import { ownersOfTenant } from "../subscribers/registration-queries.ts";
import type { FeedRecord } from "./feed.ts";

/** A trouble with a feed. `what`: what has happened. `advice`: what to do on the feed's page. */
type Trouble = { subject: string; what: string; advice: string };

/** Queues an e-mail about a feed to the owners of its tenant, with its address and its page in the dashboard. */
export async function notifyOwners(app: App, tx: Tx, feed: FeedRecord, trouble: Trouble): Promise<void> {
  const page = `${publicBase(app.config, "")}/sites/${feed.siteId}/feeds/${feed.id}`;
  const text = `${[trouble.what, feed.url, trouble.advice, page].join("\n\n")}\n`;
  for (const to of await ownersOfTenant(tx, feed.tenantId)) {
    await queueEmail(app, tx, { to, subject: trouble.subject, text });
  }
}

/** Returns the name of a feed for use in a sentence. */
export function nameOf({ title }: Pick<FeedRecord, "title">): string {
  return title ?? "without a title";
}
