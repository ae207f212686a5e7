import type { Scope } from "./site.ts";

/**
 * Shows the article: in the tab that has it open, or in a new one. A tab is only brought to the front, never sent
 * elsewhere: a reader may be writing a comment there.
 */
export async function openArticle({ clients }: Scope, navigate: string): Promise<void> {
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = tabs.find(({ url }) => articleOf(url) === articleOf(navigate));
  try {
    if (open) return void (await open.focus());
  } catch {
    // It was closed in between, or may not be focused.
  }
  await clients.openWindow(navigate);
}

/** An address without the reader's token and the place on the page. */
function articleOf(url: string): string {
  return url
    .replace(/#.*/, "")
    .replace(/([?&])pressbell=[\w-]+&?/, "$1")
    .replace(/[?&]$/, "");
}
