import { createHash } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { countFailure } from "../rate-limits/count-requests.ts";
import { sameBytes } from "../secret-box.ts";

const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Checks a request for /metrics. With METRICS_TOKEN, every request needs that token as a bearer. Without it, the port
 * of METRICS_PORT is open to all, because that is its purpose, and the service's own port answers only this machine.
 * Throws `unauthenticated`, `rate_limited` and `forbidden`.
 */
export async function checkMetricsRequest(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { METRICS_PORT, METRICS_TOKEN } = app.config;
  if (METRICS_TOKEN === undefined) {
    if (METRICS_PORT === undefined && !isFromThisMachine(request)) throw appError("forbidden", { message: howToOpen });
    return;
  }
  const given = /^bearer ([!-~]+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (given !== undefined && sameBytes(hash(given), hash(METRICS_TOKEN))) return;
  if (given !== undefined) await countFailure(app, request.ip);
  reply.header("www-authenticate", 'Bearer realm="pressbell metrics"');
  throw appError("unauthenticated", { message: "Send METRICS_TOKEN: `Authorization: Bearer TOKEN`." });
}

const howToOpen =
  "Metrics are shown to this machine only. Set METRICS_TOKEN and send it as a bearer, or give them a port of their own with METRICS_PORT.";

/**
 * Returns whether a request comes from a program on this machine itself. A proxy on this machine also connects from
 * here, but it adds a forwarding header or passes on the outside name.
 */
function isFromThisMachine({ socket, hostname, headers }: FastifyRequest): boolean {
  const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const isLocal = address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
  const isLocalName = ["localhost", "127.0.0.1", "[::1]", ""].includes(hostname.toLowerCase());
  return isLocal && isLocalName && !forwardingHeaders.some((name) => headers[name] !== undefined);
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
