import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { type PublicRoute, readersRoutes, type Visit, type VisitReply } from "../route.ts";
import { readerSite } from "../tenants/sites/queries.ts";
import { type Compressor, createCompressor, sitesKeptAtMost } from "./compress.ts";
import { builtSdkFiles, etagOf, type SdkScripts } from "./sdk-scripts.ts";

/**
 * Returns the routes GET /sdk/pressbell.js, prompt.js, migration.js, test-device.js, preferences.js, facts.js,
 * outcomes.js, elements.js, and worker.js of a site. `scripts` is a function, because the scripts are built after the
 * routes are mounted and before the server listens.
 */
export function sdkRoutes(scripts: () => SdkScripts): PublicRoute[] {
  const compressScript = createCompressor(Object.keys(builtSdkFiles).length, "once");
  const compressWorker = createCompressor(sitesKeptAtMost, "each");
  const scriptRoute = (path: string, name: keyof SdkScripts): PublicRoute => ({
    method: "GET",
    path,
    access: "public",
    limit: "file",
    async answer(_app, visit) {
      return fileReply(visit, scripts()[name], "public, max-age=300", compressScript);
    },
  });
  return readersRoutes([
    scriptRoute("/sdk/pressbell.js", "page"),
    scriptRoute("/sdk/prompt.js", "prompt"),
    scriptRoute("/sdk/migration.js", "migration"),
    scriptRoute("/sdk/test-device.js", "test-device"),
    scriptRoute("/sdk/preferences.js", "preferences"),
    scriptRoute("/sdk/facts.js", "facts"),
    scriptRoute("/sdk/outcomes.js", "outcomes"),
    scriptRoute("/sdk/elements.js", "elements"),
    {
      method: "GET",
      path: "/sdk/sites/:siteId/worker.js",
      access: "public",
      limit: "read",
      async answer(app, visit) {
        const head = await siteLine(app, visit);
        // Browsers check for a new worker regularly. A cached old worker would delay a fix.
        return fileReply(visit, head + scripts().worker, "public, max-age=0, must-revalidate", compressWorker);
      },
    },
  ]);
}

/** Returns the first line of a worker's code, which tells it about its site before its first request. */
async function siteLine(app: App, { params, base }: Visit<{ siteId: string }>): Promise<string> {
  const siteId = params.siteId;
  const site = await readerSite(app.db, siteId);
  if (site === undefined) throw appError("not_found");
  const vapidPublicKey = site.vapidPublicKey.toString("base64url");
  return `self.pressbellSite=${JSON.stringify({ base, tenantId: site.tenantId, siteId, vapidPublicKey })};\n`;
}

/**
 * Returns a script that pages of other origins may load (CORP). Answers 304 to a browser that already has it (ETag).
 */
function fileReply(visit: Visit, text: string, cacheControl: string, pack: Compressor): VisitReply {
  const etag = etagOf(text);
  const headers = {
    etag,
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": cacheControl,
    "cross-origin-resource-policy": "cross-origin",
    // Browsers load a module with CORS. The page script is no module, but a page may load it as one, and then it must
    // run to report the mistake.
    "access-control-allow-origin": "*",
    vary: "Accept-Encoding, Origin",
  };
  if (visit.header("if-none-match").split(/,\s*/).includes(etag)) return { status: 304, headers };
  const packed = pack(visit, text);
  return { status: 200, headers: { ...headers, ...packed.headers }, body: packed.body };
}
