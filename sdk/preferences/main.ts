import { readSnippet } from "../page/snippet.ts";
import { showPreferences } from "./show-preferences.ts";

/**
 * The form with which readers choose topics and times, where its script element stands. The page needs the loader as well:
 * site, worker and scope are read from its element.
 */
function start(here: HTMLScriptElement | null): void {
  const loader = document.querySelector<HTMLScriptElement>('script[data-site][src*="/sdk/pressbell.js"]');
  if (!here || !loader) {
    // biome-ignore lint/suspicious/noConsole: nothing else reaches the developer of a page that the script cannot serve.
    console.error("Pressbell: preferences.js needs the line of pressbell.js in the same page, and no type=module");
    return;
  }
  const host = document.createElement("pressbell-preferences");
  here.after(host);
  window.pressbell ??= [];
  window.pressbell.push((pressbell) => showPreferences(host, pressbell, readSnippet(loader), here.dataset.words));
}

start(document.currentScript as HTMLScriptElement | null);
