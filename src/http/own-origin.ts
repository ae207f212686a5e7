import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";

/**
 * Refuses a write that another website made a browser send with our cookie (CSRF). Browsers name the source of a
 * request in `Sec-Fetch-Site` and `Origin`. A request with neither does not come from a browser, and passes. Throws
 * `csrf_failed`.
 */
export function refuseForeignOrigin(app: App, request: FastifyRequest): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") throw appError("csrf_failed");
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(app, request, origin)) throw appError("csrf_failed");
}

/**
 * Returns whether `origin` is that of PUBLIC_URL, or has the request's own Host. The browser sets both headers, and
 * no page can change them.
 */
function isOwnOrigin(app: App, request: FastifyRequest, origin: string): boolean {
  const { PUBLIC_URL } = app.config;
  if (PUBLIC_URL !== undefined && origin === new URL(PUBLIC_URL).origin) return true;
  return URL.canParse(origin) && /^https?:/.test(origin) && new URL(origin).host === request.host.toLowerCase();
}
