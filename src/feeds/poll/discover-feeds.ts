import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { tooManyPages } from "../../decision/decide-story.ts";
import { alternatesTask } from "../../decision/page/alternates.ts";
import { appError } from "../../errors.ts";
import { readText } from "../../reading/text.ts";
import { httpsOf, webAddress } from "../web-address.ts";
import { type TriedFeed, tryFeed } from "./try-feed.ts";

/** A feed that was found at a site. `title`: by the page that links to it, or by the feed itself. */
export type DiscoveredFeed = { url: string; title: string | null };

const feedTypes = /^\s*(application\/(rss|atom|rdf|feed)\+(xml|json)|application\/json|(text|application)\/xml)\b/i;
/** Where content management systems usually serve a feed, for sites whose pages do not link to theirs. */
const usualPaths = ["/feed", "/rss", "/rss.xml", "/atom.xml", "/feed.xml", "/feed.json"];
/** Where they serve a sitemap of their news, if robots.txt does not say. */
const usualSitemaps = ["/news-sitemap.xml", "/sitemap-news.xml", "/sitemap_news.xml"];
/** A publisher with more sitemaps of news than that has one for each section. */
const maxSitemaps = 5;
const maxRobotsBytes = 512 * 1024;

/**
 * Faults after which more paths are tried: the server answers. One that does not would cost a timeout for each path.
 */
const answeredCodes = new Set<string>(["bad_answer", "http_status", "gone", "not_a_feed"]);

/**
 * Returns the feeds of a site, starting from its home page or another of its pages: the URL itself if it is a feed,
 * else the feeds that the page links to (rel=alternate), else the first that is found at the usual paths, else the
 * first news sitemap: of robots.txt, or at a usual path. Empty if there is none. An http:// URL is read as https://.
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
 * The sitemaps of news in robots.txt (RFC 9309 section 2.2.4), known by their address: others are long, and are not
 * read.
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
