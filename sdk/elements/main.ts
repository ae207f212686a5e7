import { whenLoaded } from "../page/when-loaded.ts";
import { wordsOf } from "../words.ts";
import { defineElements } from "./define-elements.ts";
import { english, german } from "./words.ts";

/**
 * The elements that a page can use: a bell, a button to subscribe, and one to follow a topic. Until the loader has come
 * they draw nothing.
 */
function start(script: Document["currentScript"]): void {
  const { words } = script?.dataset ?? {};
  whenLoaded((pressbell) => defineElements(pressbell, wordsOf(english, german, words)));
}

start(document.currentScript);
