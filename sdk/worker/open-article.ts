import type { Scope } from "./site.ts";

/**
 * Opens the article in a new tab, or focuses the tab that has it open. Never navigates an existing tab: a reader may be
 * writing a comment there. `isReported`: the click counts only by our report, and the page is told not to report it too.
 */
export async function openArticle({ clients }: Scope, navigate: string, isReported: boolean): Promise<void> {
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = tabs.find(({ url }) => articleOf(url) === articleOf(navigate));
  try {
    if (open) return void (await open.focus());
  } catch {
    // The tab was closed meanwhile, or may not be focused.
  }
  await clients.openWindow(isReported ? asReported(navigate) : navigate);
}

/** Returns an address without its fragment, where our token is. */
function articleOf(url: string): string {
  return url.replace(/#.*/, "");
}

/** The page reads the 0 after the token (page/arrival.ts). */
function asReported(url: string): string {
  return url.replace(/(pressbell-[\w-]{43})[12]?(?=:~:|$)/, "$10");
}
