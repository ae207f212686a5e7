/**
 * Appends `pairs` ("a=b&c=d") to the query of an article's URL. As text: URLSearchParams would re-encode the article's own
 * query and break a signed one.
 */
export function addToQuery(url: string, pairs: string): string {
  const { href, hash } = new URL(url);
  if (pairs === "") return href;
  const base = href.slice(0, href.length - hash.length);
  return `${base}${base.includes("?") ? "&" : "?"}${pairs}${hash}`;
}

/** Adds the UTM parameters (`utm_source` …) that the URL does not have yet; null ones are left out. */
export function addUtm(
  url: string,
  utm: { source: string | null; medium: string | null; campaign: string | null },
): string {
  const has = new URL(url).searchParams;
  const pairs = Object.entries(utm).filter(([name, value]) => value !== null && !has.has(`utm_${name}`));
  return addToQuery(url, pairs.map(([name, value]) => `utm_${name}=${value}`).join("&"));
}

const rightToLeft = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);

/** The `dir` of a language (BCP 47); undefined for left to right, the browsers' default. */
export function directionOf(language: string): "rtl" | undefined {
  return rightToLeft.has(new Intl.Locale(language).maximize().script ?? "") ? "rtl" : undefined;
}
