/**
 * Resolves a page below `base`, a URL that ends with a slash. `page`: a path that begins with a slash, which stands for
 * the base. Returns the URL; null for a page of another origin, or outside the path of the base.
 */
export function ownPage(page: string, base: string): string | null {
  // The dot keeps "/https://…" and "//…" paths. Only the resolved URL says where a browser goes.
  if (!page.startsWith("/") || !URL.canParse(`.${page}`, base)) return null;
  const url = new URL(`.${page}`, base);
  const { origin, pathname } = new URL(base);
  return url.origin === origin && url.pathname.startsWith(pathname) ? url.href : null;
}
