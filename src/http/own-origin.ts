import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";

/**
 * Refuses a request that another website made a browser send with our cookie. Browsers say where a request comes from
 * in `Sec-Fetch-Site` and `Origin`; what sends neither is no browser and is let through. Throws `csrf_failed`.
 */
export function refuseForeignOrigin(app: App, request: FastifyRequest): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") throw appError("csrf_failed");
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(app, request, origin)) throw appError("csrf_failed");
}

/** PUBLIC_URL's origin, or the host that the request itself names: a browser sets both and no page can change them. */
function isOwnOrigin(app: App, request: FastifyRequest, origin: string): boolean {
  const { PUBLIC_URL } = app.config;
  if (PUBLIC_URL !== undefined && origin === new URL(PUBLIC_URL).origin) return true;
  return URL.canParse(origin) && /^https?:/.test(origin) && new URL(origin).host === request.host.toLowerCase();
}
