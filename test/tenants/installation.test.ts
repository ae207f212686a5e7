import { beforeAll, expect, test } from "vitest";
import type { PageFetcher } from "../../src/egress/page/fetch-page.ts";
import { readInstallation } from "../../src/tenants/sites/installation.ts";
import { startPageServer, trust } from "../egress/page-fixture.ts";
import { createPatientFetcher } from "../fixtures/app.ts";
import { createCertificate } from "../fixtures/certificate.ts";
import { afterFile } from "../fixtures/cleanup.ts";

const siteId = "0197c000-0000-7000-8000-000000000001";
type File = { body: string; headers?: Record<string, string>; status?: number };

let files: Record<string, File>;
let origin: string;
let pages: PageFetcher;

beforeAll(async () => {
  const certificate = await createCertificate("installation");
  trust(certificate);
  const server = await startPageServer(certificate, (request, response) => {
    const { body, headers = {}, status = 200 } = files[request.url!] ?? { body: "", status: 404 };
    response.writeHead(status, headers).end(body);
  });
  afterFile(server.close);
  origin = `https://localhost:${server.port}`;
  pages = createPatientFetcher([`localhost:${server.port}`]);
  afterFile(() => pages.close());
});

const js = { "content-type": "text/javascript; charset=utf-8" };
const html = { "content-type": "text/html" };
/** The address of the service. It has the same host as the site, and is below /push. */
const base = () => `${origin}/push`;
const tag = (more = "", id = siteId) =>
  `<script async src="${base()}/sdk/pressbell.js" data-tenant="t" data-site="${id}"${more}></script>`;
const workerLine = (id = siteId) => `importScripts("${base()}/sdk/sites/${id}/worker.js");`;

const manifestLink = '<link rel="manifest" href="/manifest.webmanifest">';
const manifest = (change: object) =>
  JSON.stringify({ name: "N", start_url: "/", display: "standalone", icons: [{ src: "/icon.png" }], ...change });

/** Serves a correctly installed site. `change` replaces some of its files. Returns the faults by check. */
async function problemsOf(change: (right: Record<string, File>) => Record<string, File>) {
  const right: Record<string, File> = {
    "/": { body: `<!doctype html><head>${tag()}${manifestLink}</head>`, headers: html },
    "/manifest.webmanifest": { body: manifest({}) },
    "/pressbell-sw.js": { body: workerLine(), headers: js },
    "/push/sdk/pressbell.js": { body: "", headers: js },
  };
  files = { ...right, ...change(right) };
  const findings = await readInstallation(pages, { siteUrl: `${origin}/`, siteId, base: base() });
  expect(findings.map(({ check }) => check)).toEqual([
    ...["service", "page", "snippet", "worker", "scope", "policy", "manifest"],
  ]);
  return Object.fromEntries(
    findings.flatMap(({ check, problem, about }) => (problem === null ? [] : [[check, [problem, about]]])),
  );
}

const page = (body: string, headers: Record<string, string> = {}): Record<string, File> => ({
  "/": { body: body + manifestLink, headers: { ...html, ...headers } },
});
const withManifest = (change: object) => (right: Record<string, File>) => ({
  ...right,
  "/manifest.webmanifest": { body: manifest(change) },
});
const policy = (text: string) => ({ "content-security-policy": text });

test("a site as in the snippet has no problem, also with a strict policy", async () => {
  expect(await problemsOf(() => ({}))).toEqual({});
  const strict = policy(`default-src 'none'; script-src ${origin}; connect-src ${origin}; worker-src 'self'`);
  expect(await problemsOf(() => page(tag(), strict))).toEqual({});
  const elsewhere = await problemsOf(() => ({
    ...page(tag(' data-worker="/js/sw.js" data-scope="/"')),
    "/js/sw.js": { body: workerLine(), headers: { ...js, "service-worker-allowed": "/" } },
    "/pressbell-sw.js": { body: "", status: 404 },
  }));
  expect(elsewhere).toEqual({});
});

test.each<[string, (right: Record<string, File>) => Record<string, File>, Record<string, string>]>([
  ["without the line", () => page("<p>News"), { snippet: "missing" }],
  ["with the line of another site", () => page(tag("", "other")), { snippet: "other_site" }],
  ["with the line of another service", () => page(tag().replace("/push/", "/")), { snippet: "other_service" }],
  [
    "that answers with an error",
    () => ({ "/": { body: tag(), status: 503 } }),
    { page: "status", snippet: "unchecked", policy: "unchecked", manifest: "unchecked" },
  ],
  [
    "without the worker file",
    () => ({ "/pressbell-sw.js": { body: "", status: 404 } }),
    { worker: "status", scope: "unchecked" },
  ],
  [
    "whose worker file is a page",
    () => ({ "/pressbell-sw.js": { body: workerLine(), headers: html } }),
    { worker: "type" },
  ],
  [
    "whose worker file imports nothing",
    () => ({ "/pressbell-sw.js": { body: "//", headers: js } }),
    { worker: "no_import" },
  ],
  [
    "whose worker file imports another's",
    () => ({ "/pressbell-sw.js": { body: workerLine("x"), headers: js } }),
    { worker: "other_import" },
  ],
  [
    "whose worker file is redirected",
    () => ({
      "/pressbell-sw.js": { body: "", status: 302, headers: { location: "/sw.js" } },
      "/sw.js": { body: workerLine(), headers: js },
    }),
    { worker: "redirected" },
  ],
  [
    "that asks for a scope above its worker file",
    () => ({
      ...page(tag(' data-worker="/js/sw.js" data-scope="/"')),
      "/js/sw.js": { body: workerLine(), headers: js },
    }),
    { scope: "too_wide" },
  ],
  [
    "whose worker file is on another origin",
    () => page(tag(' data-worker="https://other.example/sw.js"')),
    { worker: "other_origin", scope: "unchecked" },
  ],
  [
    "whose service does not answer",
    () => ({ "/push/sdk/pressbell.js": { body: "", status: 502 } }),
    { service: "status" },
  ],
  [
    "whose policy forbids the script",
    () => page(tag(), policy("script-src 'none'; worker-src 'self'")),
    { policy: "page" },
  ],
  [
    "whose worker file forbids the import",
    () => ({ "/pressbell-sw.js": { body: workerLine(), headers: { ...js, ...policy("default-src 'none'") } } }),
    { policy: "worker" },
  ],
  [
    "whose line stands in a script of its own",
    () => page(`<script>load("${base()}/sdk/pressbell.js", { siteId: "${siteId}" })</script>`),
    {},
  ],
  [
    "whose own script names another site",
    () => page(`<script>load("${base()}/sdk/pressbell.js", { siteId: "other" })</script>`),
    { snippet: "other_site" },
  ],
  [
    "that may have the line in a tag manager",
    () => page('<script src="https://www.googletagmanager.com/gtm.js?id=GTM-1"></script>'),
    { snippet: "tag_manager" },
  ],
  ["without a manifest", () => ({ "/": { body: tag(), headers: html } }), { manifest: "no_manifest" }],
  [
    "whose manifest is not there",
    () => ({ "/": { body: `${tag()}<link href=/none.json rel="icon manifest">`, headers: html } }),
    { manifest: "status" },
  ],
  ["whose manifest is a page", () => ({ "/manifest.webmanifest": { body: "<html>" } }), { manifest: "not_json" }],
  ["whose manifest is a list", () => ({ "/manifest.webmanifest": { body: "[]" } }), { manifest: "not_json" }],
  ["whose manifest is for the browser", withManifest({ display: "browser" }), { manifest: "display" }],
  ["whose manifest is for a small browser", withManifest({ display: "minimal-ui" }), { manifest: "display" }],
  ["whose manifest says nothing of the display", withManifest({ display: undefined }), { manifest: "display" }],
  ["whose manifest begins elsewhere", withManifest({ start_url: "https://other.example/" }), { manifest: "start_url" }],
  ["whose manifest begins beyond its scope", withManifest({ scope: "/app/" }), { manifest: "start_url" }],
  ["whose manifest is for a part", withManifest({ start_url: "/app/", scope: "/app/" }), { manifest: "scope" }],
  ["whose manifest begins in a folder", withManifest({ start_url: "/app/start" }), { manifest: "scope" }],
  ["whose manifest names no icon", withManifest({ icons: [] }), { manifest: "icons" }],
  ["whose manifest is for the whole screen", withManifest({ display: "fullscreen" }), {}],
  ["whose manifest begins with a campaign", withManifest({ start_url: "/?utm_source=home", scope: "/" }), {}],
])("a site %s is told so", async (_name, change, expected) => {
  const problems = await problemsOf(change);
  const found = Object.fromEntries(Object.entries(problems).map(([check, [problem]]) => [check, problem]));
  expect(found).toEqual(expected);
});

test("the directives that a policy needs are named", async () => {
  const problems = await problemsOf(() => page(tag(), policy("default-src 'none'")));
  expect(problems).toEqual({
    policy: ["page", `script-src ${origin}; connect-src ${origin}; worker-src 'self'`],
  });
});

test("a site in the own network is not fetched, and a service without https is told", async () => {
  files = {};
  const site = { siteUrl: "https://10.0.0.1/", siteId, base: "http://push.example.org" };
  const findings = await readInstallation(pages, site);
  expect(findings.slice(0, 3)).toMatchObject([
    { check: "service", problem: "not_https" },
    { check: "page", problem: "refused" },
    { check: "snippet", problem: "unchecked" },
  ]);
});
