import type { PageFetcher, WebResult } from "../../egress/page/fetch-page.ts";
import { allows, readPolicies } from "./content-security-policy.ts";
import { type ManifestFound, type ManifestProblem, readManifest } from "./web-app-manifest.ts";

/** The values that a page and a worker file of the site must contain. `base`: PUBLIC_URL without a slash at its end. */
export type Installation = { siteUrl: string; siteId: string; base: string; requester?: string };

/** The checks, in the order in which their problems have to be fixed. */
export type InstallationCheck = "service" | "page" | "snippet" | "worker" | "scope" | "policy" | "manifest";

/**
 * The result of one check. `problem`: null if there is none, `unchecked` if an earlier problem is in the way.
 * `about`: what the problem concerns, such as an address or the directives of a policy.
 */
export type InstallationFinding = { check: InstallationCheck } & Found;

/** A result without its check. `said`: the answer that came instead: a status, a type, or why there was no answer. */
type Found = { problem: InstallationProblem | null; about: string; said?: string };

export type InstallationProblem =
  | ("unchecked" | "status" | "refused" | "unreachable" | "not_https")
  | ("missing" | "tag_manager" | "other_service" | "other_site")
  | ("other_origin" | "redirected" | "type" | "no_import" | "other_import")
  | ("too_wide" | "page" | "worker")
  | ManifestProblem;

/**
 * Fetches the site's first page, its worker file and its manifest as a reader's browser would, and our own script as
 * readers get it. All requests go through the fetch guard. Never rejects.
 */
export async function readInstallation(
  pages: Pick<PageFetcher, "request">,
  { siteUrl, siteId, base, requester = "" }: Installation,
): Promise<InstallationFinding[]> {
  const get = (url: string) => pages.request(url, { anyType: true, cuts: true, requester });
  const page = await get(siteUrl);
  const html = page.kind === "answer" ? page.body.toString("utf8") : "";
  const tag = findTag(html, base, siteId);
  const pageUrl = page.kind === "answer" ? page.url : siteUrl;
  const workerUrl = URL.parse(attribute(tag, "data-worker") ?? "/pressbell-sw.js", pageUrl)?.href ?? siteUrl;
  const [worker, script] = [await get(workerUrl), await get(`${base}/sdk/pressbell.js`)];
  const manifest = await readManifest(pages, { html, pageUrl, requester });
  const facts = { page, html, pageUrl, tag, worker, workerUrl, script, manifest, siteId, base };
  const found: Record<InstallationCheck, Found> = {
    service: checkService(facts),
    page: checkPage(facts),
    snippet: checkSnippet(facts),
    worker: checkWorker(facts),
    scope: checkScope(facts),
    policy: checkPolicy(facts),
    manifest: failureOf(page) === null ? manifest : { problem: "unchecked", about: pageUrl },
  };
  return Object.entries(found).map(([check, finding]) => ({ check: check as InstallationCheck, ...finding }));
}

type Facts = {
  page: WebResult;
  html: string;
  pageUrl: string;
  tag: string | undefined;
  worker: WebResult;
  workerUrl: string;
  script: WebResult;
  manifest: ManifestFound;
  siteId: string;
  base: string;
};

/**
 * Returns the script's tag: our script for this site, or else our script for another site, or else a script of
 * another address.
 */
function findTag(html: string, base: string, siteId: string): string | undefined {
  const tags = (html.match(/<script\b[^>]*>/gi) ?? []).filter((tag) => tag.includes("/sdk/pressbell.js"));
  const ours = tags.filter((tag) => tag.includes(`${base}/sdk/pressbell.js`));
  return ours.find((tag) => tag.includes(siteId)) ?? ours[0] ?? tags[0];
}

function attribute(tag: string | undefined, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*["']?([^"'\\s>]+)`, "i").exec(tag ?? "")?.[1];
}

/** The loaders of common tag managers. */
const tagManagers =
  /googletagmanager\.com\/(gtm|gtag)|tags\.tiqcdn\.com|assets\.adobedtm\.com|cdn\.segment\.com|matomo[^"']*\/container_|tagcommander\.com/i;

/** Returns why an answer is no file with status 200; null if it is one. */
function failureOf(result: WebResult): "status" | "refused" | "unreachable" | null {
  if (result.kind === "answer") return result.status === 200 ? null : "status";
  return result.kind === "refused" ? "refused" : "unreachable";
}

function saidBy(result: WebResult): { said?: string } {
  if (result.kind === "answer") return { said: String(result.status) };
  return result.kind === "refused" ? {} : { said: result.kind === "busy" ? "busy" : result.reason };
}

function checkService({ base, script }: Facts): Found {
  if (!base.startsWith("https://") && new URL(base).hostname !== "localhost")
    return { problem: "not_https", about: base };
  // Behind some routers, a machine cannot reach its own public address. An address within the own network is not
  // fetched.
  const failure = failureOf(script);
  return { problem: failure === "refused" ? "unchecked" : failure, about: base };
}

function checkPage({ page, pageUrl }: Facts): Found {
  return { problem: failureOf(page), about: pageUrl, ...saidBy(page) };
}

/** Checks the snippet. If a tag manager or the page's own code inserts the script, no tag of the page has it. */
function checkSnippet({ page, html, pageUrl, tag, base, siteId }: Facts): Found {
  if (failureOf(page) !== null) return { problem: "unchecked", about: pageUrl };
  if (tag === undefined) {
    if (html.includes(`${base}/sdk/pressbell.js`))
      return { problem: html.includes(siteId) ? null : "other_site", about: pageUrl };
    return { problem: tagManagers.test(html) ? "tag_manager" : "missing", about: pageUrl };
  }
  if (!tag.includes(`${base}/sdk/pressbell.js`)) return { problem: "other_service", about: pageUrl };
  return { problem: tag.includes(siteId) ? null : "other_site", about: pageUrl };
}

function checkWorker({ worker, workerUrl: about, pageUrl, base, siteId }: Facts): Found {
  if (new URL(about).origin !== new URL(pageUrl).origin) return { problem: "other_origin", about };
  const failure = failureOf(worker);
  if (failure !== null || worker.kind !== "answer") return { problem: failure, about, ...saidBy(worker) };
  if (worker.url !== about) return { problem: "redirected", about };
  const type = String(worker.headers["content-type"] ?? "none")
    .split(";")[0]!
    .trim()
    .toLowerCase();
  if (!/^(text|application)\/(x-)?(java|ecma)script$/.test(type)) return { problem: "type", about, said: type };
  const text = worker.body.toString("utf8");
  if (text.includes(`${base}/sdk/sites/${siteId}/worker.js`)) return { problem: null, about };
  return { problem: text.includes("/worker.js") && text.includes("/sdk/sites/") ? "other_import" : "no_import", about };
}

/**
 * Checks the scope. A worker may serve its own folder, or the path in `Service-Worker-Allowed` (Service Workers,
 * section Register).
 */
function checkScope({ tag, worker, workerUrl, pageUrl }: Facts): Found {
  if (failureOf(worker) !== null || worker.kind !== "answer") return { problem: "unchecked", about: workerUrl };
  const scope = URL.parse(
    attribute(tag, "data-scope") ?? "pressbell/",
    attribute(tag, "data-scope") ? pageUrl : workerUrl,
  );
  if (scope === null) return { problem: "too_wide", about: workerUrl };
  const allowed = String(worker.headers["service-worker-allowed"] ?? "");
  const widest = URL.parse(allowed === "" ? "./" : allowed, workerUrl);
  const isWithin = widest?.origin === scope.origin && scope.pathname.startsWith(widest.pathname);
  return { problem: isWithin ? null : "too_wide", about: scope.pathname };
}

function checkPolicy({ page, html, pageUrl, tag, worker, workerUrl, base }: Facts): Found {
  if (page.kind !== "answer" || failureOf(page) !== null) return { problem: "unchecked", about: "" };
  const policies = readPolicies(page.headers["content-security-policy"], html);
  const self = new URL(pageUrl).origin;
  const script = { address: `${base}/sdk/pressbell.js`, self, nonce: attribute(tag, "nonce") };
  const missing = [
    ...(allows(policies, "script-src-elem", script) ? [] : [`script-src ${new URL(base).origin}`]),
    ...(allows(policies, "connect-src", { address: base, self }) ? [] : [`connect-src ${new URL(base).origin}`]),
    ...(allows(policies, "worker-src", { address: workerUrl, self }) ? [] : ["worker-src 'self'"]),
  ];
  if (missing.length > 0) return { problem: "page", about: missing.join("; ") };
  const ofWorker = worker.kind === "answer" ? readPolicies(worker.headers["content-security-policy"], "") : [];
  if (allows(ofWorker, "script-src-elem", { address: base, self })) return { problem: null, about: "" };
  return { problem: "worker", about: `script-src ${new URL(base).origin}` };
}
