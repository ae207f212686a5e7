import type { Scope } from "./site.ts";

/**
 * Opens the article in a new tab, or focuses the tab that has it open. Never navigates an existing tab: a reader may be
 * writing a comment there.
 */
export async function openArticle({ clients }: Scope, navigate: string): Promise<void> {
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = tabs.find(({ url }) => articleOf(url) === articleOf(navigate));
  try {
    if (open) return void (await open.focus());
  } catch {
    // The tab was closed meanwhile, or may not be focused.
  }
  await clients.openWindow(navigate);
}

/** Returns an address without our token and without its fragment. */
function articleOf(url: string): string {
  return url
    .replace(/#.*/, "")
    .replace(/([?&])pressbell=[\w-]+&?/, "$1")
    .replace(/[?&]$/, "");
}
