import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import { siteOfTenant } from "./queries.ts";

/**
 * The path of the worker file on the publisher's site. `data-worker` of the page's script element can name another
 * path.
 */
const workerFile = "/pressbell-sw.js";

/**
 * The lines that a publisher installs: the script element `page` in every page, and the line `worker` in the file
 * `workerFile`.
 */
export type InstallSnippet = { page: string; workerFile: string; worker: string };

/**
 * Returns the install snippet of a site of the actor's tenant. `base`: the address at which browsers reach the
 * service, without a trailing slash. Throws `not_found`.
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
