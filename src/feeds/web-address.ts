import { httpAddress } from "../decision/story-url.ts";

/** Returns `raw` as an absolute http(s) address of at most 2,048 characters without a user name, or null. */
export function webAddress(raw: string, base: string): string | null {
  return raw.trim() === "" ? null : httpAddress(raw, base);
}

/** The host to which a site's stories belong, with all hosts below it: that of the site's URL, without `www.`. */
export function hostOfSite(siteUrl: string): string {
  return new URL(siteUrl).hostname.replace(/^www\./, "");
}

/** Whether an address leads to one of `hosts`, or to a host below one of them. */
export function leadsTo(address: string, hosts: string[]): boolean {
  const host = URL.parse(address)?.hostname;
  return host !== undefined && hosts.some((known) => host === known || host.endsWith(`.${known}`));
}

/**
 * Returns an http:// address on port 80 as https://, any other unchanged. Many feeds name pages by http:// that are
 * also served by https://, and Pressbell fetches and sends https:// addresses only.
 */
export function httpsOf(address: string): string {
  return address.replace(/^http:\/\/([^/:?#]+)(?::80)?(?=[/?#]|$)/i, "https://$1");
}
