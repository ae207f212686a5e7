import type { FastifyInstance } from "fastify";
import type { App } from "../app.ts";

const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // JSON loads nothing; a route that serves a page or a script replaces this.
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

const oneYearSeconds = 365 * 24 * 60 * 60;

/**
 * The headers of every answer: its request id, what browsers shall not do with it, and that nobody keeps it (a route
 * for public files says otherwise itself).
 */
export function setCommonHeaders(server: FastifyInstance, app: App): void {
  const isHttps = app.config.PUBLIC_URL?.startsWith("https:") === true;
  const headers = {
    ...always,
    "cache-control": "no-store",
    ...(isHttps ? { "strict-transport-security": `max-age=${oneYearSeconds}` } : {}),
  };
  server.addHook("onRequest", async (request, reply) => {
    reply.headers(headers).header("x-request-id", request.id);
  });
}
