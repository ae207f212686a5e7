import type { FeedChange, FeedView } from "../../../src/feeds/feed.ts";
import type { ItemView } from "../../../src/feeds/items/item.ts";
import type { NewestStory } from "../../../src/feeds/items/newest-stories.ts";
import type { ItemStatus } from "../../../src/feeds/items/states.ts";
import type { DiscoveredFeed } from "../../../src/feeds/poll/discover-feeds.ts";
import type { TriedFeed } from "../../../src/feeds/poll/try-feed.ts";
import type { FeedPage } from "../../../src/feeds/read-feeds.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

export type { DiscoveredFeed, FeedChange, FeedView, ItemStatus, ItemView, NewestStory, TriedFeed };

/** The input for adding a feed. The service validates it. */
export type NewFeed = Pick<
  FeedView,
  "url" | "suggest" | "topics" | "unmatched" | "atLimit" | "hourlyLimit" | "dailyLimit"
> & {
  /** The id of a segment. Empty: all readers. */
  segment: string;
};

export const feeds = (tenantId: string, siteId: string) =>
  call<FeedView[]>("GET", `${tenantPath(tenantId)}/sites/${siteId}/feeds`);
export const newestStories = (tenantId: string, siteId: string) =>
  call<{ data: NewestStory[] }>("GET", `${tenantPath(tenantId)}/sites/${siteId}/newest-stories`).then(
    ({ data }) => data,
  );
export const addFeed = (tenantId: string, siteId: string, body: NewFeed) =>
  call<FeedView>("POST", `${tenantPath(tenantId)}/sites/${siteId}/feeds`, { body });
export const tryFeed = (tenantId: string, siteId: string, url: string) =>
  call<TriedFeed>("POST", `${tenantPath(tenantId)}/sites/${siteId}/feeds/try`, { body: { url } });
export const discoverFeeds = (tenantId: string, siteId: string) =>
  call<DiscoveredFeed[]>("POST", `${tenantPath(tenantId)}/sites/${siteId}/feeds/discover`);
export const feed = (tenantId: string, feedId: string, query: Record<string, string>) =>
  call<FeedPage>("GET", `${tenantPath(tenantId)}/feeds/${feedId}?${new URLSearchParams(query)}`);
export const changeFeed = (tenantId: string, feedId: string, body: FeedChange) =>
  call<FeedView>("PATCH", `${tenantPath(tenantId)}/feeds/${feedId}`, { body });
export const deleteFeed = (tenantId: string, feedId: string) =>
  call<undefined>("DELETE", `${tenantPath(tenantId)}/feeds/${feedId}`);
