/**
 * Resolves a page below `base`, a URL that ends with a slash. `page`: a path whose first slash stands for the base.
 * Returns the URL. Returns null for a page of another origin, or outside the path of the base.
 */
export function ownPage(page: string, base: string): string | null {
  // The dot makes "/https://…" and "//…" stay paths. Only the resolved URL shows where a browser goes.
  if (!page.startsWith("/") || !URL.canParse(`.${page}`, base)) return null;
  const url = new URL(`.${page}`, base);
  const { origin, pathname } = new URL(base);
  return url.origin === origin && url.pathname.startsWith(pathname) ? url.href : null;
}
