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

/** Do two addresses lead to one page, but for scheme, www, a slash at the end and tracking? */
export function isSamePage(a: string, b: string, base: string): boolean {
  const [one, other] = [a, b].map((address) => pageIdentity(address, base));
  return one != null && one === other;
}

/** What all addresses of one page have in common: no scheme, no www, no slash at the end, no tracking. Null for none. */
export function pageIdentity(address: string, base: string): string | null {
  const url = URL.parse(canonicalForm(address, base) ?? "");
  return url && `${url.host.replace(/^www\./, "")}${url.pathname.replace(/\/$/, "")}${url.search}`;
}

/** `raw` as an absolute https URL, or null: what may be shown as a picture. It is never fetched here. */
export function httpsImageUrl(raw: string, base: string): string | null {
  const url = URL.parse(raw.trim(), base);
  const isFit = url?.protocol === "https:" && url.username === "" && url.password === "" && raw.trim() !== "";
  return isFit && url.href.length <= 2048 ? url.href : null;
}

/**
 * The address that a page gives as its own, else where it was read (`base`), normalised; null when neither can be read.
 * The home page is no story's address: templates that say so would make one story of all.
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
