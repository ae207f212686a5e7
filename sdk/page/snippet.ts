import type { Site } from "../wire.ts";

/**
 * The settings in the page's script element. `sharesWorker`: with the site's own worker, so a subscription may be
 * another script's.
 */
export type Snippet = Site & { tenantId: string; workerUrl: string; scope: string; sharesWorker: boolean };

/** What a developer reads who has changed the script element so that it cannot work. */
export const snippetFault = "Pressbell: data-tenant or data-site is missing, or remove type=module";

/**
 * Reads the script element. The service's address is the script's origin and path prefix. The worker gets its own scope
 * beside its file, which contains no page: so it does not replace a worker of the site.
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
