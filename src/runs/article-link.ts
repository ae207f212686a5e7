/**
 * An article's address with `pairs` ("a=b&c=d") at the end of its query. By hand: URLSearchParams would write the
 * article's own query anew, and a signed one would no longer hold.
 */
export function addToQuery(url: string, pairs: string): string {
  const { href, hash } = new URL(url);
  if (pairs === "") return href;
  const base = href.slice(0, href.length - hash.length);
  return `${base}${base.includes("?") ? "&" : "?"}${pairs}${hash}`;
}

/** The address with the campaign parameters (`utm_source` …) that it does not have yet; null ones are left out. */
export function addUtm(
  url: string,
  utm: { source: string | null; medium: string | null; campaign: string | null },
): string {
  const has = new URL(url).searchParams;
  const pairs = Object.entries(utm).filter(([name, value]) => value !== null && !has.has(`utm_${name}`));
  return addToQuery(url, pairs.map(([name, value]) => `utm_${name}=${value}`).join("&"));
}

const rightToLeft = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);

/** The direction of a language (BCP 47) where it has to be told: browsers take left to right by themselves. */
export function directionOf(language: string): "rtl" | undefined {
  return rightToLeft.has(new Intl.Locale(language).maximize().script ?? "") ? "rtl" : undefined;
}
