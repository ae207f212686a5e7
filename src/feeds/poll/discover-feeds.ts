import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { decodePage } from "../../decision/page/decode-page.ts";
import { readMetadata } from "../../decision/page/page-metadata.ts";
import { httpsOf } from "../items/item-url.ts";
import { line, webAddress } from "../parse/entry.ts";
import { type TriedFeed, tryFeed } from "./try-feed.ts";

/** A feed that a site names or has; `title` as its page calls it. */
export type DiscoveredFeed = { url: string; title: string | null };

const feedTypes = /^\s*(application\/(rss|atom|rdf|feed)\+(xml|json)|application\/json|(text|application)\/xml)\b/i;
/** Where content systems have their feed, for sites that do not say so. */
const usualPaths = ["/feed", "/rss", "/rss.xml", "/atom.xml", "/feed.xml", "/feed.json"];

/** What a server says that can be asked further; one that is silent would be waited for once a path. */
const answers = new Set<string>(["bad_answer", "http_status", "not_a_feed"]);

/**
 * The feeds of a site, from its home page or any other: the page itself where it is a feed, else those that it links to
 * (rel=alternate), else what lies at the usual addresses. An empty list where there is none.
 */
export async function discoverFeeds(app: App, actor: Actor, input: { url: string }): Promise<DiscoveredFeed[]> {
  const own = await tryFeed(app, actor, input);
  if (own.isFeed) return [foundAt(own)];
  if (!answers.has(own.code)) return [];
  const linked = await linkedFeeds(app, actor, input.url);
  if (linked.length > 0) return linked;
  for (const path of usualPaths) {
    const tried = await tryFeed(app, actor, { url: new URL(path, input.url).href });
    if (tried.isFeed) return [foundAt(tried)];
  }
  return [];
}

function foundAt({ url, title }: Extract<TriedFeed, { isFeed: true }>): DiscoveredFeed {
  return { url, title };
}

async function linkedFeeds(app: App, actor: Actor, url: string): Promise<DiscoveredFeed[]> {
  const page = await app.pages.fetchPage(url, `feed:${actor.tenantId}`);
  if (page.kind !== "page" || page.status !== 200) return [];
  const { alternates } = readMetadata(decodePage(page));
  return alternates
    .filter(({ type }) => feedTypes.test(type))
    .flatMap(({ href, title }) => {
      const address = webAddress(href, page.url);
      return address === null ? [] : [{ url: httpsOf(address), title: line(title, 300) }];
    });
}
