const trackers = /^(utm_.*|fbclid|gclid)$/i;

/**
 * The form of a story's URL that two links to it share: absolute, without fragment and tracking parameters.
 * Null when `raw` is not http(s), has a user name, or is over 2,048 characters.
 */
export function canonicalForm(raw: string, base: string): string | null {
  const url = URL.parse(raw.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  url.hash = "";
  for (const name of [...url.searchParams.keys()].filter((key) => trackers.test(key))) url.searchParams.delete(name);
  return url.href.length > 2048 ? null : url.href;
}

/** `raw` as an absolute https URL, or null: what may be shown as a picture. It is never fetched here. */
export function pictureUrl(raw: string, base: string): string | null {
  const url = URL.parse(raw.trim(), base);
  const isFit = url?.protocol === "https:" && url.username === "" && url.password === "" && raw.trim() !== "";
  return isFit && url.href.length <= 2048 ? url.href : null;
}
