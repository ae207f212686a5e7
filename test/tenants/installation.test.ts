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
/** The service and the site have the same host here; the service is below /push. */
const base = () => `${origin}/push`;
const tag = (more = "", id = siteId) =>
  `<script async src="${base()}/sdk/pressbell.js" data-tenant="t" data-site="${id}"${more}></script>`;
const workerLine = (id = siteId) => `importScripts("${base()}/sdk/sites/${id}/worker.js");`;

/** Serves a site that is installed right, with `change` over its files, and returns what is wrong by check. */
async function problemsOf(change: (right: Record<string, File>) => Record<string, File>) {
  const right: Record<string, File> = {
    "/": { body: `<!doctype html><head>${tag()}</head>`, headers: html },
    "/pressbell-sw.js": { body: workerLine(), headers: js },
    "/push/sdk/pressbell.js": { body: "", headers: js },
  };
  files = { ...right, ...change(right) };
  const findings = await readInstallation(pages, { siteUrl: `${origin}/`, siteId, base: base() });
  expect(findings.map(({ check }) => check)).toEqual(["service", "page", "snippet", "worker", "scope", "policy"]);
  return Object.fromEntries(
    findings.flatMap(({ check, problem, about }) => (problem === null ? [] : [[check, [problem, about]]])),
  );
}

const page = (body: string, headers: Record<string, string> = {}): Record<string, File> => ({
  "/": { body, headers: { ...html, ...headers } },
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

test.each<[string, () => Record<string, File>, Record<string, string>]>([
  ["without the line", () => page("<p>News"), { snippet: "missing" }],
  ["with the line of another site", () => page(tag("", "other")), { snippet: "other_site" }],
  ["with the line of another service", () => page(tag().replace("/push/", "/")), { snippet: "other_service" }],
  [
    "that answers with an error",
    () => ({ "/": { body: tag(), status: 503 } }),
    { page: "status", snippet: "unchecked", policy: "unchecked" },
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
