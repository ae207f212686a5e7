import { z } from "zod";
import type { App } from "../app.ts";
import { parseInput } from "../input.ts";
import type { Call, Route } from "../route.ts";
import { addFeed } from "./add-feed.ts";
import { changeFeed } from "./change-feed.ts";
import { deleteFeed } from "./delete-feed.ts";
import { feedAddress } from "./feed.ts";
import { knownSite } from "./feed-rules.ts";
import { httpsOf } from "./items/item-url.ts";
import { listFeeds } from "./list-feeds.ts";
import { discoverFeeds } from "./poll/discover-feeds.ts";
import { tryFeed } from "./poll/try-feed.ts";
import { readFeed } from "./read-feed.ts";

const tenant = "/dashboard/api/tenants/:tenantId";
const ofSite = `${tenant}/sites/:siteId/feeds`;
const one = `${tenant}/feeds/:feedId`;
/** Items of a page. */
const limit = 20;
const jsonObject = z.record(z.string(), z.unknown(), "must be a JSON object");

/** The feeds of a site: for the dashboard alone, as /v1 has none. Who may look may not change. */
export const feedRoutes: Route[] = [
  {
    method: "GET",
    path: ofSite,
    access: "viewer",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await listFeeds(app, actor, { siteId: params.siteId! }) };
    },
  },
  {
    method: "POST",
    path: ofSite,
    access: "editor",
    body: "json",
    async answer(app, call) {
      const site = await siteInPath(app, call);
      return {
        status: 201,
        body: await addFeed(app, call.actor, { ...parseInput(jsonObject, call.body), siteId: site.id }),
      };
    },
  },
  {
    method: "POST",
    path: `${ofSite}/try`,
    access: "editor",
    body: "json",
    readsPage: () => true,
    async answer(app, call) {
      await siteInPath(app, call);
      return { status: 200, body: await tryFeed(app, call.actor, parseInput(feedAddress, call.body)) };
    },
  },
  {
    method: "POST",
    path: `${ofSite}/discover`,
    access: "editor",
    body: "none",
    readsPage: () => true,
    async answer(app, call) {
      const site = await siteInPath(app, call);
      return { status: 200, body: await discoverFeeds(app, call.actor, { url: httpsOf(site.url) }) };
    },
  },
  {
    method: "GET",
    path: one,
    access: "viewer",
    body: "none",
    async answer(app, { actor, params, query }) {
      return {
        status: 200,
        body: await readFeed(app, actor, { feedId: params.feedId!, page: { ...(query as object), limit } }),
      };
    },
  },
  {
    method: "PATCH",
    path: one,
    access: "editor",
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await changeFeed(app, actor, { feedId: params.feedId!, change: body }) };
    },
  },
  {
    method: "DELETE",
    path: one,
    access: "editor",
    body: "none",
    async answer(app, { actor, params }) {
      await deleteFeed(app, actor, { feedId: params.feedId! });
      return { status: 204 };
    },
  },
];

const siteInPath = (app: App, { actor, params }: Call) => knownSite(app.db, actor.tenantId, params.siteId!);
