import type { Call, Given, Pressbell } from "./api.ts";
import { recordArrival } from "./arrival.ts";
import { createPageContext } from "./context.ts";
import { createPressbell } from "./pressbell.ts";
import { readSnippet, snippetFault } from "./snippet.ts";

/**
 * The loader: creates `window.pressbell` from its script element, or from what the page has put there. A second one in
 * the page has no effect. A page that the browser prepares, and that perhaps nobody sees, begins when it is shown; until
 * then its calls stay in the queue. Ids that are missing may come until the page has loaded: then the console says what
 * to change.
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
    // biome-ignore lint/suspicious/noConsole: nothing else reaches the developer of a page that the script cannot serve.
    console.error(snippetFault);
    if (!base) return;
  }
  const arrive = () => recordArrival(base);
  arrive();
  // An article that is open already is not loaded again.
  addEventListener("hashchange", arrive);
  window.pressbell = createPressbell(createPageContext(snippet));
  if (Array.isArray(given)) window.pressbell.push(...given);
}

/** Chromium prerenders pages. */
type Prerendered = Document & { prerendering?: boolean };

start(document.currentScript);
