/**
 * Returns an article's URL with `pairs` ("a=b&c=d") appended to its query. It appends text, because URLSearchParams
 * would re-encode the article's own query and break a signed one.
 */
export function addToQuery(url: string, pairs: string): string {
  const { href, hash } = new URL(url);
  if (pairs === "") return href;
  const base = href.slice(0, href.length - hash.length);
  return `${base}${base.includes("?") ? "&" : "?"}${pairs}${hash}`;
}

/**
 * Returns an article's URL with a name of letters, digits, "-" and "_" appended to its fragment. Servers and caches
 * do not get the fragment, so all readers open the same address. The name follows a "-", so that scripts that use the
 * fragment as a selector find nothing and do not fail. In a route ("#/story", "#!story") the name is a query, which
 * routers ignore. A text directive stays at the end.
 */
export function addToFragment(url: string, name: string): string {
  const { href, hash } = new URL(url);
  const [base] = href.split("#");
  const [, anchor = "", directive = ""] = /^#?(.*?)(:~:.*)?$/.exec(hash) ?? [];
  const isRoute = /^[/!]/.test(anchor);
  const joint = anchor === "" ? "" : !isRoute ? "-" : anchor.includes("?") ? "&" : "?";
  return `${base}#${anchor}${joint}${name}${directive}`;
}

/** Returns the URL with the UTM parameters (`utm_source` …) that it does not have yet. Skips null parameters. */
export function addUtm(
  url: string,
  utm: { source: string | null; medium: string | null; campaign: string | null },
): string {
  const has = new URL(url).searchParams;
  const pairs = Object.entries(utm).filter(([name, value]) => value !== null && !has.has(`utm_${name}`));
  return addToQuery(url, pairs.map(([name, value]) => `utm_${name}=${value}`).join("&"));
}

const rightToLeft = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);

/** Returns the `dir` of a language (BCP 47); undefined for left to right, the browsers' default. */
export function directionOf(language: string): "rtl" | undefined {
  return rightToLeft.has(new Intl.Locale(language).maximize().script ?? "") ? "rtl" : undefined;
}
