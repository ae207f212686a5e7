import { listen } from "./recording-proxy.ts";
import type { Publisher } from "./service.ts";

/** A publisher's website with both lines of the install snippet, on a new origin. */
export type Site = {
  origin: string;
  /** Replaces the content of a path; undefined answers 404. A whole document gets no loader. */
  put(path: string, content: string | undefined): void;
  /** Headers of every answer. */
  headers: Record<string, string>;
  /** Attributes of the script element of the loader, put before its own. */
  attributes: string;
};

/** Records all events in `seen`, by calls that are queued before the loader has loaded. */
const recorder = `<script>
  window.seen = [];
  window.pressbell = window.pressbell || [];
  for (const name of ["ready", "subscribed", "unsubscribed", "denied", "dismissed", "unsupported", "install", "failed"])
    pressbell.push(["on", name, (detail) => seen.push([name, detail])]);
</script>`;

export async function startSite(service: Publisher & { base: string }): Promise<Site> {
  const contents = new Map<string, string | undefined>();
  const worker = `importScripts("${service.base}/sdk/sites/${service.siteId}/worker.js");`;
  contents.set("/pressbell-sw.js", worker);
  const site: Site = {
    origin: "",
    headers: {},
    attributes: "",
    put: (path, content) => void contents.set(path, content),
  };
  site.origin = await listen("localhost", (request, response) => {
    const { pathname } = new URL(request.url!, "http://site");
    if (pathname.endsWith(".js")) {
      const script = contents.get(pathname);
      response.writeHead(script === undefined ? 404 : 200, { "content-type": "text/javascript", ...site.headers });
      return response.end(script);
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...site.headers });
    const body = contents.get(pathname) ?? recorder;
    if (body.startsWith("<!doctype")) return response.end(body);
    const ids = `data-tenant="${service.tenantId}" data-site="${service.siteId}"`;
    response.end(`<!doctype html><html lang="en"><head><title>Herald</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"></head><body><h1>Herald</h1>${body}
      <script async src="${service.base}/sdk/pressbell.js" ${site.attributes} ${ids}></script></body></html>`);
  });
  return site;
}
