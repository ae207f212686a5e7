import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { Executor } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { cutPage, idCursor, oneOfMany, parseInput, wholeNumber } from "../input.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import type { Site } from "../tenants/sites/site.ts";
import { type FeedRecord, type FeedView, viewFeed } from "./feed.ts";
import { type ItemView, viewItem } from "./items/item.ts";
import { countItems, itemsOfFeed } from "./items/queries.ts";
import { type ItemStatus, itemMoves } from "./items/states.ts";
import { feedOfTenant, feedsOfTenant } from "./queries.ts";

const statuses = Object.keys(itemMoves) as ItemStatus[];

const pageInput = z.strictObject({
  status: oneOfMany(statuses).optional(),
  limit: wholeNumber(1, 100).default(50),
  cursor: idCursor,
});

/** A feed with one page of its items. `nextCursor`: null on the last page. */
export type FeedPage = { feed: FeedView; items: ItemView[]; nextCursor: string | null };

/**
 * Returns the feeds of the actor's tenant, or of one of its sites, the oldest first. Each has its settings, last and
 * next poll, hub, counts of items, and any open question to the owner. Throws `not_found` for a site of another
 * tenant.
 */
export async function listFeeds(app: App, actor: Actor, input: { siteId?: string | undefined }): Promise<FeedView[]> {
  const { siteId } = input;
  if (siteId !== undefined) await knownSite(app.db, actor.tenantId, siteId);
  return viewFeeds(app, app.db, await feedsOfTenant(app.db, actor.tenantId, siteId));
}

/**
 * Returns a feed with its items, the newest first. Each item has its status and reasons, and its campaign and run if
 * it was sent. `page`: status, limit (default 50), cursor. Throws `not_found` and `validation_failed`.
 */
export async function readFeed(app: App, actor: Actor, input: { feedId: string; page?: unknown }): Promise<FeedPage> {
  const { status, limit, cursor } = parseInput(pageInput, input.page ?? {});
  const feed = await knownFeed(app.db, actor.tenantId, input.feedId);
  const found = await itemsOfFeed(app.db, feed.id, { status, after: cursor, limit: limit + 1 });
  const { page, nextCursor } = cutPage(found, limit, ({ id }) => id);
  const [view] = await viewFeeds(app, app.db, [feed]);
  return { feed: view!, items: page.map(viewItem), nextCursor };
}

/** Returns the site if it is the tenant's. Throws `not_found`. */
export async function knownSite(on: Executor, tenantId: string, siteId: string): Promise<Site> {
  const site = isId(siteId) ? await siteOfTenant(on, tenantId, siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${siteId}.` });
  return site;
}

/** Returns the feed if it is the tenant's. Throws `not_found`. */
export async function knownFeed(on: Executor, tenantId: string, feedId: string): Promise<FeedRecord> {
  const feed = isId(feedId) ? await feedOfTenant(on, tenantId, feedId) : undefined;
  if (feed === undefined) throw appError("not_found", { message: `There is no feed ${feedId}.` });
  return feed;
}

/** Returns feeds as callers see them, each with the number of its items by status. */
export async function viewFeeds(app: App, on: Executor, feeds: FeedRecord[]): Promise<FeedView[]> {
  const counts = await countItems(
    on,
    feeds.map(({ id }) => id),
  );
  return feeds.map((feed) => viewFeed(feed, counts.get(feed.id)!, app.config.PUBLIC_URL));
}
