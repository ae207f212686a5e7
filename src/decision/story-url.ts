const trackers = /^(utm_.*|fbclid|gclid)$/i;

/**
 * Normalises a story's URL, so that two links to the story become equal: absolute, without fragment and tracking
 * parameters. Returns null if `raw` is not http(s), has a user name, or is over 2,048 characters.
 */
export function canonicalForm(raw: string, base: string): string | null {
  const url = URL.parse(raw.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  url.hash = "";
  for (const name of [...url.searchParams.keys()].filter((key) => trackers.test(key))) url.searchParams.delete(name);
  return url.href.length > 2048 ? null : url.href;
}

/** Returns whether two addresses lead to one page (`pageIdentity`). Relative ones are resolved against `base`. */
export function isSamePage(a: string, b: string, base: string): boolean {
  const [one, other] = [a, b].map((address) => pageIdentity(address, base));
  return one != null && one === other;
}

/**
 * Returns what all addresses of one page have in common: host, path and query without scheme, `www.`, trailing slash and
 * tracking parameters. Null for what is no address.
 */
export function pageIdentity(address: string, base: string): string | null {
  const url = URL.parse(canonicalForm(address, base) ?? "");
  return url && `${url.host.replace(/^www\./, "")}${url.pathname.replace(/\/$/, "")}${url.search}`;
}

/** Returns `raw` as an absolute https URL of a picture, or null. This service never fetches it. */
export function httpsImageUrl(raw: string, base: string): string | null {
  const url = URL.parse(raw.trim(), base);
  const isFit = url?.protocol === "https:" && url.username === "" && url.password === "" && raw.trim() !== "";
  return isFit && url.href.length <= 2048 ? url.href : null;
}

/**
 * Returns the canonical address of a page, normalised: the first valid candidate, else `base`, where it was fetched; null
 * if neither is valid. Skips a candidate that is the home page: some templates name it on every page, which would make
 * all stories one.
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
