import { z } from "zod";
import type { App } from "../app.ts";
import { faults, zodText } from "../faults.ts";
import { parseInput } from "../input.ts";
import { type Call, type Reply, routes } from "../route.ts";
import type { Site } from "../tenants/sites/site.ts";
import { addFeed, changeFeed, deleteFeed } from "./change-feeds.ts";
import { feedAddress } from "./feed.ts";
import { newestStories } from "./items/newest-stories.ts";
import { discoverFeeds } from "./poll/discover-feeds.ts";
import { tryFeed } from "./poll/try-feed.ts";
import { knownSite, listFeeds, readFeed } from "./read-feeds.ts";
import { httpsOf } from "./web-address.ts";

const tenant = "/dashboard/api/tenants/:tenantId";
const feedsOfSite = `${tenant}/sites/:siteId/feeds`;
const oneFeed = `${tenant}/feeds/:feedId`;
/** The number of items on a page. */
const limit = 20;
const jsonObject = z.record(z.string(), z.unknown(), zodText(faults.wrong_type({ type: "a JSON object" })));

/** The routes of feeds. Only the dashboard has them, not /v1. A viewer reads feeds, an editor changes them. */
export const feedRoutes = routes([
  {
    method: "GET",
    path: feedsOfSite,
    access: "viewer",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await listFeeds(app, actor, { siteId: params.siteId }) };
    },
  },
  {
    method: "GET",
    path: `${tenant}/sites/:siteId/newest-stories`,
    access: "viewer",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await newestStories(app, actor, { siteId: params.siteId }) };
    },
  },
  {
    method: "POST",
    path: feedsOfSite,
    access: "editor",
    needsRecentSignIn: true,
    body: "json",
    answer: forSite(async (app, { actor, body }, site) => {
      const input = { ...parseInput(jsonObject, body), siteId: site.id };
      return { status: 201, body: await addFeed(app, actor, input) };
    }),
  },
  {
    method: "POST",
    path: `${feedsOfSite}/try`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    readsPage: () => true,
    answer: forSite(async (app, { actor, body }) => {
      return { status: 200, body: await tryFeed(app, actor, parseInput(feedAddress, body)) };
    }),
  },
  {
    method: "POST",
    path: `${feedsOfSite}/discover`,
    access: "editor",
    needsRecentSignIn: false,
    body: "none",
    readsPage: () => true,
    answer: forSite(async (app, { actor }, site) => {
      return { status: 200, body: await discoverFeeds(app, actor, { url: httpsOf(site.url) }) };
    }),
  },
  {
    method: "GET",
    path: oneFeed,
    access: "viewer",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params, query }) {
      const page = { ...(query as object), limit };
      return { status: 200, body: await readFeed(app, actor, { feedId: params.feedId, page }) };
    },
  },
  {
    method: "PATCH",
    path: oneFeed,
    access: "editor",
    needsRecentSignIn: letsFeedSend,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await changeFeed(app, actor, { feedId: params.feedId, change: body }) };
    },
  },
  {
    method: "DELETE",
    path: oneFeed,
    access: "editor",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      await deleteFeed(app, actor, { feedId: params.feedId });
      return { status: 204 };
    },
  },
]);

/**
 * Returns whether a change does more than tune or stop a feed: such a feed sends by itself, even after its editor's
 * session.
 */
function letsFeedSend(body: unknown): boolean {
  const { url, allowedHosts, enabled, override, suggest } = (body ?? {}) as Record<string, unknown>;
  return url !== undefined || allowedHosts !== undefined || enabled === true || override === true || suggest === false;
}

/**
 * Wraps an answer so that it gets the site of the path. Throws `not_found` for a site of another tenant, before the
 * body is parsed.
 */
function forSite(answer: (app: App, call: Call, site: Site) => Promise<Reply>) {
  return async (app: App, call: Call<{ tenantId: string; siteId: string }>) =>
    answer(app, call, await knownSite(app.db, call.actor.tenantId, call.params.siteId));
}
