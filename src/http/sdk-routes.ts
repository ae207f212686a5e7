import { gzipSync } from "node:zlib";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import type { PublicRoute, Visit, VisitReply } from "../route.ts";
import { readerSite } from "../tenants/sites/queries.ts";
import { etagOf, type SdkScripts } from "./sdk-scripts.ts";

/** GET /sdk/pressbell.js and a site's worker.js. `scripts`: once they are built, before the server listens. */
export function sdkRoutes(scripts: () => SdkScripts): PublicRoute[] {
  return [
    {
      method: "GET",
      path: "/sdk/pressbell.js",
      access: "public",
      limit: "file",
      async answer(_app, visit) {
        return fileReply(visit, scripts().page, "public, max-age=300");
      },
    },
    {
      method: "GET",
      path: "/sdk/sites/:siteId/worker.js",
      access: "public",
      limit: "read",
      async answer(app, visit) {
        const head = await siteOfWorker(app, visit);
        // Browsers look for a new worker by themselves, and an old one must not outlive its fault.
        return fileReply(visit, head + scripts().worker, "public, max-age=0, must-revalidate");
      },
    },
  ];
}

/** What the worker knows of its site before its first request, as the first line of its code. */
async function siteOfWorker(app: App, { params, base }: Visit): Promise<string> {
  const siteId = params.siteId!;
  const site = await readerSite(app.db, siteId);
  if (site === undefined) throw appError("not_found");
  const vapidPublicKey = site.vapidPublicKey.toString("base64url");
  return `self.pressbellSite=${JSON.stringify({ base, tenantId: site.tenantId, siteId, vapidPublicKey })};\n`;
}

/** A script for pages and workers of other origins (CORP), which is not sent again to who has it. */
function fileReply(visit: Visit, text: string, cacheControl: string): VisitReply {
  const etag = etagOf(text);
  const headers = {
    etag,
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": cacheControl,
    "cross-origin-resource-policy": "cross-origin",
    vary: "Accept-Encoding, Origin",
  };
  if (visit.header("if-none-match").split(/,\s*/).includes(etag)) return { status: 304, headers };
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(visit.header("accept-encoding")))
    return { status: 200, headers, body: text };
  return { status: 200, headers: { ...headers, "content-encoding": "gzip" }, body: gzipSync(text) };
}
