import type { FastifyInstance, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { hostHere, inUrl, listensEverywhere } from "../config.ts";
import { type AppError, appError, errorRegistry } from "../errors.ts";

/** The names of this machine itself. No name server can make a browser send one of them for another machine's page. */
const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** The paths that load balancers request by address. Their answers reveal nothing. */
const healthPaths = ["/healthz", "/readyz"];

/**
 * Refuses requests for other hosts (421). Otherwise a page whose own name resolves to this machine (DNS rebinding)
 * would have the same origin as the service, even if only this machine can reach the service. Accepts PUBLIC_URL's
 * host, loopback names and HOST on every port, because proxies leave out the port. Also accepts ALLOW_HOSTS_HEADER.
 * Behind TRUST_PROXY, the host is that of X-Forwarded-Host.
 */
export function refuseHosts(server: FastifyInstance, app: App): void {
  const { PUBLIC_URL, ALLOW_HOSTS_HEADER, HOST } = app.config;
  const publicName = PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname];
  const named = [...publicName, hostHere(HOST), ...ALLOW_HOSTS_HEADER];
  const answered = new Set([...loopbackNames, ...named.map((host) => host.toLowerCase())]);
  server.addHook("onRequest", async (request) => {
    refuseBadHost(request);
    if (healthPaths.includes(request.routeOptions.url ?? "")) return;
    // HTTP/1.0 may leave out the host. Browsers never do.
    if (request.host === "" && request.raw.httpVersion === "1.0") return;
    const host = request.host.toLowerCase();
    if (!answered.has(host) && !answered.has(nameOf(host))) throw wrongHost(HOST, request.socket.localPort);
  });
}

/**
 * Returns the error for a wrong host. If the service listens on loopback, the message says how to reach it from
 * another machine.
 */
function wrongHost(host: string, port: number | undefined): AppError {
  if (port === undefined || !(listensEverywhere(host) || loopbackNames.includes(inUrl(host))))
    return appError("wrong_host");
  const tunnel = `Or call http://localhost:${port} through ssh -L ${port}:${hostHere(host)}:${port} SERVER.`;
  return appError("wrong_host", { message: `${errorRegistry.wrong_host.message} ${tunnel}` });
}

/** Returns the host without its port, and without the dot at the end that makes a name absolute. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, "").replace(/\.$/, "");
}

/** Requires one valid Host header (RFC 9112, section 3.2). HTTP/1.0 needs none. Throws `bad_request`. */
function refuseBadHost({ raw }: FastifyRequest): void {
  const hosts = raw.headersDistinct.host ?? [];
  if (hosts.length === 0 && raw.httpVersion === "1.0") return;
  if (hosts.length !== 1 || !/^[\w.~%!$&'()*+,;=:[\]-]*$/.test(hosts[0]!)) throw appError("bad_request");
}
