import { whenLoaded } from "../page/when-loaded.ts";
import { tellOutcome } from "./tell-outcome.ts";
import { watchReading } from "./watch-reading.ts";

/**
 * Counts the outcomes of a click on a notification: the reader read to the end or opened a second page, and the
 * outcomes that the page names with `data-outcome` of the script element or `pressbell.outcome(name)`. Visits without
 * such a click send and store nothing.
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
