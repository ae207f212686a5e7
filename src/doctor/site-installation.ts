import type { PageFetcher } from "../egress/page/fetch-page.ts";
import { type Installation, type InstallationFinding, readInstallation } from "../tenants/sites/installation.ts";
import { type Finding, failed, ok } from "./finding.ts";

/** Fetches the site's first page and its worker file as a reader's browser would, through the fetch guard. */
export async function checkSiteInstallation(
  pages: Pick<PageFetcher, "request">,
  site: Installation,
): Promise<Finding[]> {
  const found = await readInstallation(pages, site);
  const of = (check: InstallationFinding["check"]) => found.find((finding) => finding.check === check)!;
  const [page, snippet] = [of("page"), of("snippet")];
  const isThere = page.problem === null;
  const rest = [of("scope"), of("policy")].filter(({ problem }) => problem !== null && problem !== "unchecked");
  return [
    isThere ? assess("site's page", snippet, site) : assess("site's page", page, site),
    assess("site's service worker", of("worker"), site),
    ...rest.map((finding) =>
      assess(`site's ${finding.check === "policy" ? "security policy" : "scope"}`, finding, site),
    ),
  ];
}

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
  };
  return failed(name, `${about} ${says[problem]}`);
}
