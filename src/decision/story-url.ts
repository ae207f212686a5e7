/** In UTF-16 units. A longer address is refused before it is parsed. */
const maxAddressLength = 2048;
const trackers = /^(utm_.*|fbclid|gclid)$/i;

/**
 * Returns `raw` as an absolute http(s) address, resolved against `base`. Returns null if it cannot be parsed, has a
 * user name, or has over 2,048 characters before or after parsing.
 */
export function httpAddress(raw: string, base: string): string | null {
  return shortHref(parseHttp(raw, base));
}

/**
 * Returns a story's URL in a form that is equal for two links to the story: absolute, without fragment and tracking
 * parameters. Returns null if `raw` is not http(s), has a user name, or has over 2,048 characters before or after.
 */
export function canonicalForm(raw: string, base: string): string | null {
  const url = parseHttp(raw, base);
  if (url === null) return null;
  url.hash = "";
  const parameters = [...url.searchParams];
  const kept = parameters.filter(([name]) => !trackers.test(name));
  // All parameters are set at once, because each `searchParams.delete` would write and parse the whole query again. A
  // query without trackers stays as it was written.
  if (kept.length < parameters.length) url.search = new URLSearchParams(kept).toString();
  return shortHref(url);
}

function parseHttp(raw: string, base: string): URL | null {
  const text = raw.trim();
  const url = text.length > maxAddressLength ? null : URL.parse(text, base);
  return url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url : null;
}

function shortHref(url: URL | null): string | null {
  return url === null || url.href.length > maxAddressLength ? null : url.href;
}

/**
 * Returns what all addresses of one page have in common: host, path and query without scheme, `www.`, trailing slash
 * and tracking parameters. Returns null if `address` is no address.
 */
export function pageIdentity(address: string, base: string): string | null {
  const url = URL.parse(canonicalForm(address, base) ?? "");
  return url && `${url.host.replace(/^www\./, "")}${url.pathname.replace(/\/$/, "")}${url.search}`;
}

/** Returns `raw` as an absolute https URL of a picture, or null. Pressbell never fetches it. */
export function httpsImageUrl(raw: string, base: string): string | null {
  const address = raw.trim() === "" ? null : httpAddress(raw, base);
  return address?.startsWith("https:") ? address : null;
}

/**
 * Returns the canonical address of a page, normalised. It is the first valid candidate, else `base`, the address where
 * the page was fetched. Returns null if neither is valid. Skips a candidate that is the home page: some templates name
 * it on every page, which would make all stories one.
 */
export function canonicalAddress(candidates: string[], base: string): string | null {
  const isHome = (address: string) => URL.parse(address)?.pathname === "/" && URL.parse(address)?.search === "";
  const own = canonicalForm(base, base);
  for (const raw of candidates.filter((text) => text.trim() !== "")) {
    const address = canonicalForm(raw, base);
    if (address !== null && (!isHome(address) || own === null || isHome(own))) return address;
  }
  return own;
}
