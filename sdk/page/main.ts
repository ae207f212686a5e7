import type { Call, Pressbell } from "./api.ts";
import { receiveReader } from "./arrival.ts";
import { createPressbell } from "./pressbell.ts";
import { readSnippet } from "./snippet.ts";
import { createWorld } from "./world.ts";

/** The loader: makes `window.pressbell` out of the script element it runs in. A second line in the page changes nothing. */
function start(script: HTMLOrSVGScriptElement | null, queued: Pressbell | Call[] = []): void {
  if (!(script instanceof HTMLScriptElement) || !Array.isArray(queued)) return;
  const snippet = readSnippet(script);
  receiveReader(snippet.base);
  window.pressbell = createPressbell(createWorld(snippet));
  window.pressbell.push(...queued);
}

start(document.currentScript, window.pressbell);
