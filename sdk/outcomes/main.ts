import { whenLoaded } from "../page/when-loaded.ts";
import { tellOutcome } from "./tell-outcome.ts";
import { watchReading } from "./watch-reading.ts";

/**
 * Counts what follows a click on a notification: that the reader read to the end, opened a second page, and what the page
 * says by `data-outcome` of the script element or `pressbell.outcome(name)`. Other visits send and store nothing.
 */
function start({ dataset }: HTMLScriptElement): void {
  whenLoaded((pressbell) => {
    const { snippet } = pressbell.context;
    const outcome = (name: string) => tellOutcome(snippet, name);
    if (!pressbell.outcome) watchReading(outcome);
    pressbell.outcome = outcome;
    if (dataset.outcome) outcome(dataset.outcome);
  });
}

start(document.currentScript as HTMLScriptElement);
