/** Returns `raw` as an absolute http(s) address of at most 2,048 characters without a user name, or null. */
export function webAddress(raw: string, base: string): string | null {
  if (raw.trim() === "") return null;
  const url = URL.parse(raw.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  return url.href.length > 2_048 ? null : url.href;
}

/**
 * Returns an http:// address on port 80 as https://, any other unchanged. Many feeds name pages by http:// that are
 * also served by https://, and Pressbell fetches and sends https:// addresses only.
 */
export function httpsOf(address: string): string {
  return address.replace(/^http:\/\/([^/:?#]+)(?::80)?(?=[/?#]|$)/i, "https://$1");
}
