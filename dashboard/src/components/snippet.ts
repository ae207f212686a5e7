/** Returns the install snippet: a line for every page, and the content of the worker file at the site's root. */
export function snippetOf(publicUrl: string, ids: { tenantId: string; siteId: string }) {
  return {
    page: `<script async src="${publicUrl}/sdk/pressbell.js" data-tenant="${ids.tenantId}" data-site="${ids.siteId}"></script>`,
    worker: `importScripts("${publicUrl}/sdk/sites/${ids.siteId}/worker.js");`,
  };
}
