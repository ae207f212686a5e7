import type { FastifyInstance } from "fastify";
import type { App } from "../app.ts";

const securityHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // JSON answers load nothing. Routes of pages and scripts replace this policy.
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

const oneYearSeconds = 365 * 24 * 60 * 60;

/**
 * Sets the headers of every answer: the request id, security headers, and `no-store`. Routes of public files replace
 * `no-store`.
 */
export function setCommonHeaders(server: FastifyInstance, app: App): void {
  const isHttps = app.config.PUBLIC_URL?.startsWith("https:") === true;
  const headers = {
    ...securityHeaders,
    "cache-control": "no-store",
    ...(isHttps ? { "strict-transport-security": `max-age=${oneYearSeconds}` } : {}),
  };
  server.addHook("onRequest", async (request, reply) => {
    reply.headers(headers).header("x-request-id", request.id);
  });
}
