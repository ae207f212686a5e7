import type { PageFetcher, WebResult } from "../egress/page/fetch-page.ts";
import { type Finding, failed, ok } from "./finding.ts";

/** What a page and a worker file of the site must contain. `base`: PUBLIC_URL without a slash at its end. */
export type Installation = { siteUrl: string; siteId: string; base: string };

/** Fetches the site's first page and its worker file as a reader's browser would, through the fetch guard. */
export async function checkSiteInstallation(
  pages: Pick<PageFetcher, "request">,
  { siteUrl, siteId, base }: Installation,
): Promise<Finding[]> {
  const page = await pages.request(siteUrl, { anyType: true, cuts: true });
  const [tag] = scriptTags(page).filter((each) => each.includes(`${base}/sdk/pressbell.js`));
  const workerUrl = new URL(/data-worker\s*=\s*["']([^"']+)/.exec(tag ?? "")?.[1] ?? "/pressbell-sw.js", siteUrl).href;
  const worker = await pages.request(workerUrl, { anyType: true, cuts: true });
  return [
    judgePage(siteUrl, siteId, page, tag),
    judgeWorker(workerUrl, `${base}/sdk/sites/${siteId}/worker.js`, worker),
  ];
}

function scriptTags(page: WebResult): string[] {
  return page.kind === "answer" ? (page.body.toString("utf8").match(/<script\b[^>]*>/gi) ?? []) : [];
}

function judgePage(siteUrl: string, siteId: string, page: WebResult, tag: string | undefined): Finding {
  const check = "site's page";
  const advice = `put the line of pressbell site snippet --site ${siteId} into each page`;
  if (page.kind !== "answer" || page.status !== 200) return failed(check, `${siteUrl} ${failureOf(page)}`);
  if (tag === undefined) return failed(check, `${siteUrl} does not load Pressbell's script: ${advice}`);
  if (!tag.includes(siteId)) return failed(check, `${siteUrl} loads Pressbell's script for another site: ${advice}`);
  return ok(check, `${siteUrl} loads Pressbell's script`);
}

function judgeWorker(url: string, importedUrl: string, worker: WebResult): Finding {
  const check = "site's service worker";
  const line = `importScripts("${importedUrl}");`;
  if (worker.kind !== "answer" || worker.status !== 200) {
    return failed(check, `${url} ${failureOf(worker)}; it must be a file with the line ${line}`);
  }
  if (worker.url !== url) return failed(check, `${url} is redirected, which browsers refuse: serve the file itself`);
  const type = String(worker.headers["content-type"] ?? "none")
    .split(";")[0]!
    .trim()
    .toLowerCase();
  if (!/^(text|application)\/(x-)?(java|ecma)script$/.test(type)) {
    return failed(check, `${url} has the type ${type}, which browsers refuse: serve it as text/javascript`);
  }
  if (!worker.body.toString("utf8").includes(importedUrl)) {
    return failed(check, `${url} does not import Pressbell's worker: add the line ${line}`);
  }
  return ok(check, `${url} imports Pressbell's worker`);
}

function failureOf(result: WebResult): string {
  if (result.kind === "answer") return `answers ${result.status} instead of 200: publish it there`;
  if (result.kind === "refused") return "is no address that is fetched: correct the site's URL, or see ALLOW_HOSTS";
  const reason = result.kind === "busy" ? "busy" : result.reason;
  return `cannot be fetched (${reason}): correct the site's URL, DNS or certificate`;
}
