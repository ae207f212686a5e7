import { listen } from "./recording-proxy.ts";
import type { Publisher } from "./service.ts";

/** A publisher's website with the install snippet, on a new origin. */
export type Site = {
  origin: string;
  /**
   * Replaces the content of a path. With undefined, the path answers 404. The loader is not added to a whole document.
   */
  put(path: string, content: string | undefined): void;
  /** Headers of every answer. */
  headers: Record<string, string>;
  /** Attributes of the loader's script element. They come before its own. */
  attributes: string;
};

/** A script that records all events in `seen`. It queues its calls before the loader has loaded. */
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
