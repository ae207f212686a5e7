import type { Site } from "../wire.ts";

/** What the line in the page says. `sharesWorker`: its worker is the site's own, so a subscription may be another's. */
export type Snippet = Site & { tenantId: string; workerUrl: string; scope: string; sharesWorker: boolean };

/**
 * Reads the script element. The service's address is where the script came from. The worker gets a scope of its own
 * beside its file, in which no page lies: so it takes nothing away from a worker that the site has.
 */
export function readSnippet(script: HTMLScriptElement): Snippet {
  const { tenant = "", site = "", worker = "/pressbell-sw.js", scope } = script.dataset;
  const workerUrl = new URL(worker, location.href);
  return {
    base: script.src.replace(/\/sdk\/pressbell\.js.*/, ""),
    tenantId: tenant,
    siteId: site,
    workerUrl: workerUrl.href,
    scope: new URL(scope ?? "pressbell/", scope ? location.href : workerUrl).href,
    sharesWorker: scope !== undefined,
  };
}
