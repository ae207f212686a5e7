import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { cutPage, idCursor, parseInput, wholeNumber } from "../input.ts";
import type { FeedView } from "./feed.ts";
import { knownFeed, viewFeeds } from "./feed-rules.ts";
import { type ItemView, itemsOfFeed, viewItem } from "./items/queries.ts";
import { type ItemStatus, itemMoves } from "./items/states.ts";

const statuses = Object.keys(itemMoves) as ItemStatus[];

const pageInput = z.strictObject({
  status: z.enum(statuses, `must be one of ${statuses.join(", ")}`).optional(),
  limit: wholeNumber(1, 100).default(50),
  cursor: idCursor,
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
  const { page, nextCursor } = cutPage(found, limit, ({ id }) => id);
  const [view] = await viewFeeds(app, app.db, [feed]);
  return { feed: view!, items: page.map(viewItem), nextCursor };
}
