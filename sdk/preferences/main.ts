import { whenLoaded } from "../page/when-loaded.ts";
import { showPreferences } from "./show-preferences.ts";

/**
 * The form with which readers choose topics and times, where its script element stands. The page needs the loader as
 * well, which knows site, worker and scope.
 */
function start(here: HTMLScriptElement | null): void {
  if (!here) {
    // biome-ignore lint/suspicious/noConsole: nothing else reaches the developer of a page that the script cannot serve.
    console.error("Pressbell: preferences.js may have no type=module");
    return;
  }
  const host = document.createElement("pressbell-preferences");
  here.after(host);
  whenLoaded((pressbell) => showPreferences(host, pressbell, pressbell.context.snippet, here.dataset.words));
}

start(document.currentScript as HTMLScriptElement | null);
