import type { Site } from "../wire.ts";
import type { Given } from "./api.ts";

/**
 * The settings in the page's script element. `sharesWorker`: whether our worker is also the site's own. Then a
 * subscription may be another script's.
 */
export type Snippet = Site & { tenantId: string; workerUrl: string; scope: string; sharesWorker: boolean };

/** The message for a developer whose page lacks a setting. */
export const snippetFault =
  "Pressbell: data-tenant or data-site is missing: set window.pressbell = { tenantId, siteId }";

const path = "/sdk/pressbell.js";

/**
 * Returns the settings of the page: those in `window.pressbell`, else the attributes of the script element. The
 * element is `script`, or else one in the page that names our file. The second case occurs with modules, and with
 * scripts that other scripts insert or delay. The service's address is the script's origin and path prefix. The
 * worker's default scope is a folder beside its file. It contains no page, so our worker does not replace a worker of
 * the site.
 */
export function readSnippet(script: Document["currentScript"], given: Given): Snippet {
  const named = [script, ...document.querySelectorAll(`script[src*="${path}"]`)] as (HTMLScriptElement | null)[];
  const { dataset = {} } = named.find((element) => element?.dataset.site) ?? {};
  const [address] = named.find((element) => element?.src?.includes(path))?.src.split(path) ?? [];
  const { tenantId = dataset.tenant, siteId = dataset.site, base = address } = given;
  const { worker = dataset.worker ?? "/pressbell-sw.js", scope = dataset.scope } = given;
  const workerUrl = new URL(worker, location.href);
  return {
    base: base ?? "",
    tenantId: tenantId ?? "",
    siteId: siteId ?? "",
    workerUrl: workerUrl.href,
    scope: new URL(scope ?? "pressbell/", scope ? location.href : workerUrl).href,
    sharesWorker: scope !== undefined,
  };
}
