import type { Scope } from "./site.ts";

/**
 * Focuses the tab that has the article open, or opens it in a new tab. Never navigates an existing tab, because a
 * reader may be writing a comment there. `isReported`: the worker reports the click, so the address tells the page
 * not to report it too.
 */
export async function openArticle({ clients }: Scope, navigate: string, isReported: boolean): Promise<void> {
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = tabs.find(({ url }) => articleOf(url) === articleOf(navigate));
  try {
    if (open) return void (await open.focus());
  } catch {
    // The tab was closed meanwhile, or the browser does not allow focusing it.
  }
  await clients.openWindow(isReported ? asReported(navigate) : navigate);
}

/** Returns an address without its fragment, which holds our token. */
function articleOf(url: string): string {
  return url.replace(/#.*/, "");
}

/** Returns the address with a 0 after the token. The page reads it and does not report the click (page/arrival.ts). */
function asReported(url: string): string {
  return url.replace(/(pressbell-[\w-]{43})[12]?(?=:~:|$)/, "$10");
}
