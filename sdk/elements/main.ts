import { whenLoaded } from "../page/when-loaded.ts";
import { wordsOf } from "../words.ts";
import { defineElements } from "./define-elements.ts";
import { english, german } from "./words.ts";

/**
 * Starts the elements of a page: a bell, a button to subscribe, and a button to follow a topic or story. They draw
 * nothing until the loader has come.
 */
function start(script: Document["currentScript"]): void {
  const { words } = script?.dataset ?? {};
  whenLoaded((pressbell) => defineElements(pressbell, wordsOf(english, german, words)));
}

start(document.currentScript);
