/** Returns the install snippet: a line for every page, and the content of the worker file at the site's root. */
export function snippetOf(publicUrl: string, ids: { tenantId: string; siteId: string }) {
  return {
    page: `<script async src="${publicUrl}/sdk/pressbell.js" data-tenant="${ids.tenantId}" data-site="${ids.siteId}"></script>`,
    worker: `importScripts("${publicUrl}/sdk/sites/${ids.siteId}/worker.js");`,
  };
}

/** Returns a web app manifest for a site, and the line with which the site's pages name it. */
export function manifestOf({ name, iconUrl }: { name: string; iconUrl: string | null }) {
  const icons = iconUrl === null ? {} : { icons: [{ src: iconUrl, sizes: "any" }] };
  const manifest = { name, short_name: name.slice(0, 12), start_url: "/", scope: "/", display: "standalone", ...icons };
  return { file: JSON.stringify(manifest, null, 2), line: '<link rel="manifest" href="/manifest.webmanifest">' };
}
