import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { faults, zodText } from "../../faults.ts";
import { cutPage, givenOnce, pageLimit, parseInput } from "../../input.ts";
import { siteOfActor } from "../../tenants/sites/site-of-actor.ts";
import { followedKey } from "./follow.ts";
import { type FollowedKey, followedKeys } from "./key-queries.ts";
import { deleteFollowers, isKeyAwaited } from "./queries.ts";

/** The most followers that one statement deletes, so that no other statement waits long for it. */
const followersAtOnce = 10_000;

/** The most followers that one request removes, so that it stays within its time limit. */
export const followersARequest = 200_000;

const cursorMessage = faults.not_a_cursor();
const listQuery = z.strictObject({
  search: givenOnce.max(100, zodText(faults.too_long({ most: 100 }))).default(""),
  limit: pageLimit,
  cursor: givenOnce
    .max(500, cursorMessage)
    .transform((text) => readCursor(text))
    .refine((after) => after !== undefined, cursorMessage)
    .optional(),
});
const endQuery = z.strictObject({ key: followedKey });

/**
 * Lists the ids that a site's readers follow and their numbers of followers, the largest first. `search`: a part of
 * the id. Throws `not_found` and `validation_failed`.
 */
export async function listFollowedKeys(
  app: App,
  actor: Actor,
  { siteId, query }: { siteId: string; query: unknown },
): Promise<{ data: FollowedKey[]; nextCursor: string | null }> {
  const { search, limit, cursor = null } = parseInput(listQuery, query);
  await siteOfActor(app.db, actor, siteId);
  const found = await followedKeys(app.db, siteId, { search, after: cursor, limit: limit + 1 });
  const { page, nextCursor } = cutPage(found, limit, ({ key, followers }) =>
    Buffer.from(JSON.stringify([followers, key])).toString("base64url"),
  );
  return { data: page, nextCursor };
}

function readCursor(text: string): FollowedKey | undefined {
  try {
    const [followers, key] = JSON.parse(Buffer.from(text, "base64url").toString()) as unknown[];
    return Number.isSafeInteger(followers) && followedKey.safeParse(key).success
      ? { followers: followers as number, key: key as string }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Ends a story (`key` of the query): its readers no longer follow the id. Returns how many followed it. `hasMore`:
 * some still follow it, because one request removes at most `followersARequest`. Throws `not_found`,
 * `validation_failed`, and `follows_awaited` if a campaign to its followers is scheduled or under way.
 */
export async function endFollowedKey(
  app: App,
  actor: Actor,
  { siteId, query }: { siteId: string; query: unknown },
): Promise<{ ended: number; hasMore: boolean }> {
  const { key } = parseInput(endQuery, query);
  await siteOfActor(app.db, actor, siteId);
  if (await isKeyAwaited(app.db, siteId, key)) throw appError("follows_awaited");
  let ended = 0;
  let last = followersAtOnce;
  while (last === followersAtOnce && ended < followersARequest) {
    last = await deleteFollowers(app.db, siteId, key, followersAtOnce);
    ended += last;
  }
  if (ended > 0) {
    await inTenant(app.db, actor.tenantId, (tx) =>
      recordAuditEvent(tx, actor, "follows.ended", { siteId, details: { key, followers: ended } }),
    );
  }
  return { ended, hasMore: last === followersAtOnce };
}
