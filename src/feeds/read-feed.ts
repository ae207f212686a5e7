import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { parseInput } from "../input.ts";
import type { FeedView } from "./feed.ts";
import { knownFeed, viewFeeds } from "./feed-rules.ts";
import { type ItemView, itemsOfFeed, viewItem } from "./items/queries.ts";
import { type ItemStatus, itemMoves } from "./items/states.ts";

const statuses = Object.keys(itemMoves) as ItemStatus[];

const pageInput = z.strictObject({
  status: z.enum(statuses, `must be one of ${statuses.join(", ")}`).optional(),
  limit: z.int("must be a whole number").min(1, "must be at least 1").max(100, "must be at most 100").default(50),
  cursor: z.uuid("must be the nextCursor of an earlier page").optional(),
});

export type FeedPage = { feed: FeedView; items: ItemView[]; nextCursor: string | null };

/**
 * A feed with its items, the newest first, and what became of each: sent (with campaign and run), skipped or waiting and
 * why. `page`: status, limit, cursor. Throws `not_found` and `validation_failed`.
 */
export async function readFeed(app: App, actor: Actor, input: { feedId: string; page?: unknown }): Promise<FeedPage> {
  const { status, limit, cursor } = parseInput(pageInput, input.page ?? {});
  const feed = await knownFeed(app.db, actor.tenantId, input.feedId);
  const found = await itemsOfFeed(app.db, feed.id, { status, after: cursor, limit: limit + 1 });
  const items = found.slice(0, limit).map(viewItem);
  const [view] = await viewFeeds(app, app.db, [feed]);
  return { feed: view!, items, nextCursor: found.length > limit ? items.at(-1)!.itemId : null };
}
