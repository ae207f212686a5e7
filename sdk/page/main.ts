import type { Call, Pressbell } from "./api.ts";
import { recordArrival } from "./arrival.ts";
import { createPageContext } from "./context.ts";
import { createPressbell } from "./pressbell.ts";
import { readSnippet } from "./snippet.ts";

/** The loader: creates `window.pressbell` from its script element. A second script element in the page has no effect. */
function start(script: HTMLOrSVGScriptElement | null, queued: Pressbell | Call[] = []): void {
  if (!(script instanceof HTMLScriptElement) || !Array.isArray(queued)) return;
  const snippet = readSnippet(script);
  recordArrival(snippet.base);
  window.pressbell = createPressbell(createPageContext(snippet));
  window.pressbell.push(...queued);
}

start(document.currentScript, window.pressbell);
