import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { tooManyPages } from "../../decision/decide-story.ts";
import { alternatesTask } from "../../decision/page/alternates.ts";
import { appError } from "../../errors.ts";
import { readText } from "../../reading/text.ts";
import { httpsOf, webAddress } from "../web-address.ts";
import { type TriedFeed, tryFeed } from "./try-feed.ts";

/** A feed that was found at a site. `title`: from the page that links to it, or from the feed itself. */
export type DiscoveredFeed = { url: string; title: string | null };

const feedTypes = /^\s*(application\/(rss|atom|rdf|feed)\+(xml|json)|application\/json|(text|application)\/xml)\b/i;
/** The paths where content management systems usually serve a feed, for sites whose pages do not link to one. */
const usualPaths = ["/feed", "/rss", "/rss.xml", "/atom.xml", "/feed.xml", "/feed.json"];
/** The paths where they serve a sitemap of their news, if robots.txt does not name one. */
const usualSitemaps = ["/news-sitemap.xml", "/sitemap-news.xml", "/sitemap_news.xml"];
/** The most sitemaps that are read. A publisher with more sitemaps of news has one for each section. */
const maxSitemaps = 5;
const maxRobotsBytes = 512 * 1024;

/**
 * Faults after which more paths are tried, because the server answers. With a server that does not, each path would
 * cost a timeout.
 */
const answeredCodes = new Set<string>(["bad_answer", "http_status", "gone", "not_a_feed"]);

/**
 * Returns the feeds of a site, starting from its home page or another of its pages. They are the URL itself if it is a
 * feed, else the feeds that the page links to (rel=alternate), else the first feed at one of the usual paths, else the
 * first news sitemap, from robots.txt or at a usual path. Returns an empty list if there is none. Reads an http:// URL
 * as https://.
 */
export async function discoverFeeds(app: App, actor: Actor, input: { url: string }): Promise<DiscoveredFeed[]> {
  const url = httpsOf(input.url.trim());
  const own = await tryFeed(app, actor, { url });
  if (own.isFeed) return [viewFound(own)];
  if (!answeredCodes.has(own.code)) return [];
  const linked = await linkedFeeds(app, actor, url);
  if (linked.length > 0) return linked;
  const at = (path: string) => new URL(path, url).href;
  const found = await firstFeed(app, actor, usualPaths.map(at));
  if (found.length > 0) return found;
  return firstFeed(app, actor, [...new Set([...(await namedSitemaps(app, actor, url)), ...usualSitemaps.map(at)])]);
}

async function firstFeed(app: App, actor: Actor, urls: string[]): Promise<DiscoveredFeed[]> {
  for (const url of urls) {
    const tried = await tryFeed(app, actor, { url });
    if (tried.isFeed) return [viewFound(tried)];
  }
  return [];
}

/**
 * Returns the sitemaps of news in robots.txt (RFC 9309 section 2.2.4). They are known by their address. Other sitemaps
 * are long and are not read.
 */
async function namedSitemaps(app: App, actor: Actor, url: string): Promise<string[]> {
  const robots = { requester: `feed:${actor.tenantId}`, maxBytes: maxRobotsBytes, cuts: true };
  const answer = await app.pages.request(new URL("/robots.txt", url).href, robots);
  if (answer.kind !== "answer" || answer.status !== 200) return [];
  return [...answer.body.toString("utf8").matchAll(/^[ \t]*sitemap[ \t]*:([^\r\n]*)/gim)]
    .map(([, address]) => webAddress(address!, answer.url))
    .filter((address) => address !== null)
    .filter((address) => /news/i.test(new URL(address).pathname))
    .slice(0, maxSitemaps)
    .map(httpsOf);
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
  const { base, alternates } = parsed.kind === "parsed" ? parsed.value : { base: null, alternates: [] };
  const relativeTo = (base === null ? null : webAddress(base, page.url)) ?? page.url;
  return alternates
    .filter(({ type }) => feedTypes.test(type))
    .flatMap(({ href, title }) => {
      const address = webAddress(href, relativeTo);
      return address === null ? [] : [{ url: httpsOf(address), title: readText(title, 300) }];
    });
}
