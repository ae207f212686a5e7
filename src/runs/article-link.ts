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

/**
 * Appends a name of letters, digits, "-" and "_" to the fragment of an article's URL, which servers and caches do not get:
 * all readers open one address. With "-", so that scripts that look for the fragment as a selector find nothing and do
 * not fail; in a route ("#/story", "#!story") as a query, which routers ignore. A text directive stays at the end.
 */
export function addToFragment(url: string, name: string): string {
  const { href, hash } = new URL(url);
  const [base] = href.split("#");
  const [, anchor = "", directive = ""] = /^#?(.*?)(:~:.*)?$/.exec(hash) ?? [];
  const isRoute = /^[/!]/.test(anchor);
  const joint = anchor === "" ? "" : !isRoute ? "-" : anchor.includes("?") ? "&" : "?";
  return `${base}#${anchor}${joint}${name}${directive}`;
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
