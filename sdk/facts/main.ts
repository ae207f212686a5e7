import { whenLoaded } from "../page/when-loaded.ts";
import { tellFacts } from "./tell-facts.ts";

/**
 * Says what the page knows of its reader: each `data-` attribute of the script element is a fact that the site has
 * declared. A page that learns more adds the element again.
 */
function start({ dataset }: HTMLScriptElement): void {
  const told = { ...dataset } as Record<string, string>;
  whenLoaded((pressbell) => tellFacts(pressbell, told));
}

start(document.currentScript as HTMLScriptElement);
