import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { siteOfTenant } from "./queries.ts";

/** Where the browser looks for the worker unless the page's line says `data-worker`. */
const workerFile = "/pressbell-sw.js";

/** What a publisher pastes: a line into each page, and a file at the site's root with one line. */
export type InstallSnippet = { page: string; workerFile: string; worker: string };

/**
 * The two lines that install a site of the actor's tenant. `base`: the address at which browsers reach the service,
 * without a slash at its end. Throws `not_found`.
 */
export async function readInstallSnippet(
  app: App,
  actor: Actor,
  input: { siteId: string; base: string },
): Promise<InstallSnippet> {
  const { siteId, base } = input;
  if ((await siteOfTenant(app.db, actor.tenantId, siteId)) === undefined) {
    throw appError("not_found", { message: `There is no site ${siteId}.` });
  }
  const ids = `data-tenant="${actor.tenantId}" data-site="${siteId}"`;
  return {
    page: `<script async src="${base}/sdk/pressbell.js" ${ids}></script>`,
    workerFile,
    worker: `importScripts("${base}/sdk/sites/${siteId}/worker.js");`,
  };
}
