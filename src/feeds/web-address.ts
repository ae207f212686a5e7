import { httpAddress } from "../decision/story-url.ts";

/** Returns `raw` as an absolute http(s) address of at most 2,048 characters without a user name, or null. */
export function webAddress(raw: string, base: string): string | null {
  return raw.trim() === "" ? null : httpAddress(raw, base);
}

/**
 * Returns the host of a site's stories: that of the site's URL, without `www.`. Hosts below it belong to the site too.
 */
export function hostOfSite(siteUrl: string): string {
  return new URL(siteUrl).hostname.replace(/^www\./, "");
}

/** Returns whether an address leads to one of `hosts`, or to a host below one of them. */
export function leadsTo(address: string, hosts: string[]): boolean {
  const host = URL.parse(address)?.hostname;
  return host !== undefined && hosts.some((known) => host === known || host.endsWith(`.${known}`));
}

/**
 * Returns an http:// address on port 80 as https://, and any other unchanged. Many feeds give http:// addresses of
 * pages that are also served by https://. Pressbell fetches and sends only https:// addresses.
 */
export function httpsOf(address: string): string {
  return address.replace(/^http:\/\/([^/:?#]+)(?::80)?(?=[/?#]|$)/i, "https://$1");
}
