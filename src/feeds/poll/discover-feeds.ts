import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { tooManyPages } from "../../decision/decide-story.ts";
import { alternatesTask } from "../../decision/page/alternates.ts";
import { appError } from "../../errors.ts";
import { line } from "../parse/entry.ts";
import { httpsOf, webAddress } from "../web-address.ts";
import { type TriedFeed, tryFeed } from "./try-feed.ts";

/** A feed that was found at a site. `title`: by the page that links to it, or by the feed itself. */
export type DiscoveredFeed = { url: string; title: string | null };

const feedTypes = /^\s*(application\/(rss|atom|rdf|feed)\+(xml|json)|application\/json|(text|application)\/xml)\b/i;
/** Where content management systems usually serve a feed, for sites whose pages do not link to theirs. */
const usualPaths = ["/feed", "/rss", "/rss.xml", "/atom.xml", "/feed.xml", "/feed.json"];

/**
 * Faults after which more paths are tried: the server answers. One that does not would cost a timeout for each path.
 */
const answeredCodes = new Set<string>(["bad_answer", "http_status", "not_a_feed"]);

/**
 * Returns the feeds of a site, starting from its home page or another of its pages: the URL itself if it is a feed,
 * else the feeds that the page links to (rel=alternate), else the first that is found at the usual paths. Empty if
 * there is none.
 */
export async function discoverFeeds(app: App, actor: Actor, input: { url: string }): Promise<DiscoveredFeed[]> {
  const own = await tryFeed(app, actor, input);
  if (own.isFeed) return [viewFound(own)];
  if (!answeredCodes.has(own.code)) return [];
  const linked = await linkedFeeds(app, actor, input.url);
  if (linked.length > 0) return linked;
  for (const path of usualPaths) {
    const tried = await tryFeed(app, actor, { url: new URL(path, input.url).href });
    if (tried.isFeed) return [viewFound(tried)];
  }
  return [];
}

function viewFound({ url, title }: Extract<TriedFeed, { isFeed: true }>): DiscoveredFeed {
  return { url, title };
}

async function linkedFeeds(app: App, actor: Actor, url: string): Promise<DiscoveredFeed[]> {
  const who = `feed:${actor.tenantId}`;
  const page = await app.pages.fetchPage(url, who);
  if (page.kind !== "page" || page.status !== 200) return [];
  const { body, charset } = page;
  const parsed = await app.parser.parse(alternatesTask, { body, ...(charset === undefined ? {} : { charset }) }, who);
  if (parsed.kind === "busy") throw appError("unavailable", tooManyPages);
  const alternates = parsed.kind === "parsed" ? parsed.value : [];
  return alternates
    .filter(({ type }) => feedTypes.test(type))
    .flatMap(({ href, title }) => {
      const address = webAddress(href, page.url);
      return address === null ? [] : [{ url: httpsOf(address), title: line(title, 300) }];
    });
}
