import type { App } from "../app.ts";
import { unknownTopics } from "../campaigns/queries.ts";
import type { Executor } from "../db/pool.ts";
import { judgeUrl, readAllowHosts, urlRefusals } from "../egress/page/url-guard.ts";
import { appError, type FieldFault } from "../errors.ts";
import { isId } from "../ids.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import type { Site } from "../tenants/sites/site.ts";
import { type CategoryTopic, type FeedRecord, type FeedView, viewFeed } from "./feed.ts";
import { countItems, feedOfTenant } from "./queries.ts";

/** What is wrong with a feed's address, as far as the address itself shows it, and with its topics. */
export async function faultsOfFeed(
  app: App,
  on: Executor,
  { siteId, url, topics = [] }: { siteId: string; url?: string | undefined; topics?: CategoryTopic[] | undefined },
): Promise<FieldFault[]> {
  const verdict = url === undefined ? null : judgeUrl(url, { allowHosts: readAllowHosts(app.config.ALLOW_HOSTS) });
  const unknown = await unknownTopics(
    on,
    siteId,
    topics.map(({ topicId }) => topicId),
  );
  return [
    ...(verdict?.allowed === false ? [{ path: "/url", message: urlRefusals[verdict.reason] }] : []),
    ...topics.flatMap(({ topicId }, index) =>
      unknown.has(topicId) ? [{ path: `/topics/${index}/topicId`, message: "is no topic of this site" }] : [],
    ),
  ];
}

/** The site if it is the tenant's. Throws `not_found`. */
export async function knownSite(on: Executor, tenantId: string, siteId: string): Promise<Site> {
  const site = isId(siteId) ? await siteOfTenant(on, tenantId, siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${siteId}.` });
  return site;
}

/** The feed if it is the tenant's. Throws `not_found`. */
export async function knownFeed(on: Executor, tenantId: string, feedId: string): Promise<FeedRecord> {
  const feed = isId(feedId) ? await feedOfTenant(on, tenantId, feedId) : undefined;
  if (feed === undefined) throw appError("not_found", { message: `There is no feed ${feedId}.` });
  return feed;
}

/** Feeds as callers see them, each with what became of its items. */
export async function viewFeeds(app: App, on: Executor, feeds: FeedRecord[]): Promise<FeedView[]> {
  const counts = await countItems(
    on,
    feeds.map(({ id }) => id),
  );
  return feeds.map((feed) => viewFeed(feed, counts.get(feed.id)!, app.config.PUBLIC_URL));
}
