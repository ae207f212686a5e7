import type { Call, Given, Pressbell } from "./api.ts";
import { recordArrival } from "./arrival.ts";
import { createPageContext } from "./context.ts";
import { createPressbell } from "./pressbell.ts";
import { readSnippet, snippetFault } from "./snippet.ts";

/**
 * Starts the loader: creates `window.pressbell` from its script element, or from what the page has put there. A
 * second loader in the page has no effect. On a prerendered page, the loader starts when the page is shown, and calls
 * stay in the queue until then. Missing ids may still come until the page has loaded. After that, the console says
 * what to change.
 */
function start(script: Document["currentScript"]): void {
  const again = () => start(script);
  if ((document as Prerendered).prerendering) {
    document.addEventListener("prerenderingchange", again, { once: true });
    return;
  }
  const given: Pressbell | Given | Call[] = window.pressbell ?? [];
  if ("subscribe" in given) return;
  const snippet = readSnippet(script, given as Given);
  const { base, siteId, tenantId } = snippet;
  if (!base || !siteId || !tenantId) {
    if (document.readyState !== "complete") return void addEventListener("load", again, { once: true });
    // biome-ignore lint/suspicious/noConsole: nothing else reaches the developer of this page.
    console.error(snippetFault);
    if (!base) return;
  }
  const arrive = () => recordArrival(base);
  arrive();
  // If the article is already open, the browser does not load it again, and only the fragment changes.
  addEventListener("hashchange", arrive);
  window.pressbell = createPressbell(createPageContext(snippet));
  if (Array.isArray(given)) window.pressbell.push(...given);
}

/** A document in a browser that prerenders pages (Chromium). */
type Prerendered = Document & { prerendering?: boolean };

start(document.currentScript);
