import { httpAddress } from "../decision/story-url.ts";

/** Returns `raw` as an absolute http(s) address of at most 2,048 characters without a user name, or null. */
export function webAddress(raw: string, base: string): string | null {
  return raw.trim() === "" ? null : httpAddress(raw, base);
}

/**
 * Returns an http:// address on port 80 as https://, any other unchanged. Many feeds name pages by http:// that are
 * also served by https://, and Pressbell fetches and sends https:// addresses only.
 */
export function httpsOf(address: string): string {
  return address.replace(/^http:\/\/([^/:?#]+)(?::80)?(?=[/?#]|$)/i, "https://$1");
}
