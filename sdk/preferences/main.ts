import { whenLoaded } from "../page/when-loaded.ts";
import { showPreferences } from "./show-preferences.ts";

/**
 * Shows the form with which readers choose topics and times, after its script element. The page also needs the
 * loader, which knows the site, the worker and the scope.
 */
function start(here: HTMLScriptElement | null): void {
  if (!here) {
    // biome-ignore lint/suspicious/noConsole: nothing else reaches the developer of this page.
    console.error("Pressbell: preferences.js may have no type=module");
    return;
  }
  const host = document.createElement("pressbell-preferences");
  here.after(host);
  whenLoaded((pressbell) => showPreferences(host, pressbell, pressbell.context.snippet, here.dataset.words));
}

start(document.currentScript as HTMLScriptElement | null);
