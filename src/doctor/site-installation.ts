import type { PageFetcher } from "../egress/page/fetch-page.ts";
import { type Installation, type InstallationFinding, readInstallation } from "../tenants/sites/installation.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** Fetches the site's first page and its worker file as a reader's browser would, through the fetch guard. */
export async function checkSiteInstallation(
  pages: Pick<PageFetcher, "request">,
  site: Installation,
): Promise<Finding[]> {
  const found = await readInstallation(pages, site);
  const of = (check: InstallationFinding["check"]) => found.find((finding) => finding.check === check)!;
  const [page, snippet] = [of("page"), of("snippet")];
  const isThere = page.problem === null;
  const rest = [of("scope"), of("policy"), of("manifest")].filter(
    ({ problem }) => problem !== null && problem !== "unchecked",
  );
  return [
    isThere ? assess("site's page", snippet, site) : assess("site's page", page, site),
    assess("site's service worker", of("worker"), site),
    ...rest.map((finding) => assess(`site's ${namesOfRest[finding.check] ?? "scope"}`, finding, site)),
  ];
}

const namesOfRest: Partial<Record<InstallationFinding["check"], string>> = {
  policy: "security policy",
  manifest: "web app manifest",
};

/**
 * Returns the finding for one check. A fault of the manifest is less severe, because it concerns only readers with
 * iPhones and iPads.
 */
function assess(
  name: string,
  { check, problem, about, said = "" }: InstallationFinding,
  { siteId, base }: Installation,
): Finding {
  const advice = `put the line of pressbell site snippet --site ${siteId} into each page`;
  const line = `importScripts("${base}/sdk/sites/${siteId}/worker.js");`;
  if (problem === null) {
    return ok(name, check === "worker" ? `${about} imports Pressbell's worker` : `${about} loads Pressbell's script`);
  }
  const file = check === "worker" ? `; it must be a file with the line ${line}` : "";
  const says: Record<Exclude<typeof problem, null>, string> = {
    unchecked: "was not checked",
    not_https: "is not https: browsers give no push permission",
    status: `answers ${said} instead of 200: publish it there${file}`,
    refused: "is no address that is fetched: correct the site's URL, or see ALLOW_HOSTS",
    unreachable: `cannot be fetched (${said}): correct the site's URL, DNS or certificate`,
    tag_manager: `does not name Pressbell's script, and has a tag manager that may load it: open it in a browser, or ${advice}`,
    missing: `does not load Pressbell's script: ${advice}`,
    other_service: `loads Pressbell's script from another address than PUBLIC_URL: ${advice}`,
    other_site: `loads Pressbell's script for another site: ${advice}`,
    other_origin: "is not on the site's own origin, which browsers refuse: serve the file there",
    redirected: "is redirected, which browsers refuse: serve the file itself",
    type: `has the type ${said}, which browsers refuse: serve it as text/javascript`,
    no_import: `does not import Pressbell's worker: add the line ${line}`,
    other_import: `imports the worker of another site or address: replace it by the line ${line}`,
    too_wide: "is a scope that the worker's file may not have: move the file up, or leave data-scope out",
    page: "must be added to the Content-Security-Policy of the site's pages",
    worker: "must be added to the Content-Security-Policy of the worker's file",
    no_manifest: 'names no web app manifest: add one with "display": "standalone"',
    not_json: "is no JSON object: correct it",
    display: `has "display": ${said}: change it to "standalone"`,
    start_url: `has a start_url (${said}) on another site or outside its scope: change it to the site's first page`,
    scope: `has the scope ${said}, in which the site's first page is not: widen it`,
    icons: "names no icon: add one of 192 pixels or more",
  };
  if (check === "manifest") {
    return warning(name, `${about} ${says[problem]}. Until then iPhones and iPads before iOS 26 cannot be notified`);
  }
  return failed(name, `${about} ${says[problem]}`);
}
