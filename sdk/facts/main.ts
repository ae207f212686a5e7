import { whenLoaded } from "../page/when-loaded.ts";
import { tellFacts } from "./tell-facts.ts";

/**
 * Tells the service what the page knows about its reader. Each `data-` attribute of the script element is a fact that
 * the site has declared. A page that learns more adds the script element again.
 */
function start({ dataset }: HTMLScriptElement): void {
  const told = { ...dataset } as Record<string, string>;
  whenLoaded((pressbell) => tellFacts(pressbell, told));
}

start(document.currentScript as HTMLScriptElement);
