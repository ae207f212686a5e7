import type { PageFetcher } from "../../egress/page/fetch-page.ts";

/**
 * The reason why iPhones and iPads have no push in a site on the home screen. They have push only in a site that
 * opens as an app. Before iOS 26, Safari opens a site as an app only if the site's manifest asks for it (Web
 * Application Manifest, sections `display`, `scope` and `start_url`).
 */
export type ManifestProblem = "no_manifest" | "not_json" | "display" | "start_url" | "scope" | "icons";

/**
 * The result for the manifest that a page names. `problem`: its first problem, or why it cannot be read, such as
 * `status`; null if there is none.
 */
export type ManifestFound = {
  problem: ManifestProblem | "status" | "refused" | "unreachable" | null;
  about: string;
  said?: string;
};

/** The display modes without browser controls. iOS opens such sites as an app. */
const displaysOfApps = ["standalone", "fullscreen"];

/**
 * Reads the manifest that the page at `pageUrl` names in its `html`. Returns the first problem of the manifest. Never
 * rejects.
 */
export async function readManifest(
  pages: Pick<PageFetcher, "request">,
  { html, pageUrl, requester }: { html: string; pageUrl: string; requester: string },
): Promise<ManifestFound> {
  const href = hrefOf(html, "manifest");
  const url = href === undefined ? null : URL.parse(href, pageUrl);
  if (url === null) return { problem: "no_manifest", about: pageUrl };
  const about = url.href;
  const answer = await pages.request(about, { anyType: true, requester });
  if (answer.kind === "refused") return { problem: "refused", about };
  if (answer.kind !== "answer") {
    return { problem: "unreachable", about, said: answer.kind === "busy" ? "busy" : answer.reason };
  }
  if (answer.status !== 200) return { problem: "status", about, said: String(answer.status) };
  const manifest = parse(answer.body.toString("utf8"));
  if (manifest === undefined) return { problem: "not_json", about };
  return {
    about,
    ...problemOf(manifest, { url, pageUrl, hasTouchIcon: hrefOf(html, "apple-touch-icon") !== undefined }),
  };
}

/** Returns the first problem of a manifest at `url`. */
function problemOf(
  manifest: Record<string, unknown>,
  { url, pageUrl, hasTouchIcon }: { url: URL; pageUrl: string; hasTouchIcon: boolean },
): Pick<ManifestFound, "problem" | "said"> {
  const { display, start_url: start, scope, icons } = manifest;
  if (!displaysOfApps.includes(String(display))) return { problem: "display", said: String(display ?? "none") };
  const page = new URL(pageUrl);
  const startUrl = typeof start === "string" && start !== "" ? URL.parse(start, url.href) : page;
  if (startUrl === null || startUrl.origin !== page.origin) return { problem: "start_url", said: String(start) };
  const within = typeof scope === "string" && scope !== "" ? URL.parse(scope, url.href) : new URL(".", startUrl);
  if (within === null || !contains(within, startUrl)) return { problem: "start_url", said: startUrl.pathname };
  if (!contains(within, page)) return { problem: "scope", said: within.pathname };
  const hasIcon = hasTouchIcon || (Array.isArray(icons) && icons.some((icon) => typeof icon?.src === "string"));
  return { problem: hasIcon ? null : "icons" };
}

const contains = (scope: URL, url: URL) => scope.origin === url.origin && url.pathname.startsWith(scope.pathname);

/** Returns the address of the first `<link>` whose `rel` has this word. */
function hrefOf(html: string, rel: string): string | undefined {
  const links = html.match(/<link\b(?:"[^"]*"|'[^']*'|[^>"'])*>/gi) ?? [];
  const link = links.find((one) => attribute(one, "rel")?.toLowerCase().split(/\s+/).includes(rel));
  return link && attribute(link, "href")?.replaceAll("&amp;", "&");
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^"'\\s>]+))`, "i").exec(tag);
  return found?.slice(1).find((value) => value !== undefined);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}
