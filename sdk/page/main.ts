import type { Call, Pressbell } from "./api.ts";
import { recordArrival } from "./arrival.ts";
import { createPageContext } from "./context.ts";
import { createPressbell } from "./pressbell.ts";
import { readSnippet, snippetFault } from "./snippet.ts";

/**
 * The loader: creates `window.pressbell` from its script element. A second one in the page has no effect. A module has no
 * `document.currentScript`: the console says what to change, as it does where an id is missing. A page that the browser
 * prepares, and that perhaps nobody sees, begins when it is shown; until then its calls stay in the queue.
 */
function start(script: HTMLScriptElement | null): void {
  if ((document as Prerendered).prerendering) {
    document.addEventListener("prerenderingchange", () => start(script), { once: true });
    return;
  }
  const queued: Pressbell | Call[] = window.pressbell ?? [];
  if (!Array.isArray(queued)) return;
  // biome-ignore lint/suspicious/noConsole: nothing else reaches the developer of a page that the script cannot serve.
  if (!script?.dataset.site || !script.dataset.tenant) console.error(snippetFault);
  if (!script) return;
  const snippet = readSnippet(script);
  recordArrival(snippet.base);
  window.pressbell = createPressbell(createPageContext(snippet));
  window.pressbell.push(...queued);
}

/** Chromium prerenders pages. */
type Prerendered = Document & { prerendering?: boolean };

start(document.currentScript as HTMLScriptElement | null);
