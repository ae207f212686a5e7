import { once } from "node:events";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Lookup } from "./lookup.ts";
import { isPublicAddress } from "./public-address.ts";
import { hostLiteral } from "./url-guard.ts";

/** Opens a TCP connection to one of `addresses`, on the port of `url`. The returned socket may still be connecting. */
export type ConnectTcp = (url: URL, addresses: string[]) => Socket;

/**
 * The result of a connection attempt. `unreachable` deliberately covers three cases: no address, an internal address
 * and no answer. Callers must not be able to tell them apart.
 */
export type PageConnection =
  | { kind: "open"; socket: TLSSocket }
  /** `timeout`: the host was reached, but TLS was not set up in time. */
  | { kind: "failed"; reason: "unreachable" | "tls" | "timeout" };

export type ConnectionRules = {
  /** The operator lists this host: its addresses are not checked. */
  allowListed: boolean;
  lookup: Lookup;
  connectTcp: ConnectTcp;
  connectTimeoutMs: number;
  /** Ends the attempt at any stage when it aborts. */
  signal: AbortSignal;
};

/**
 * Opens a verified TLS connection to the host of `url`, which `checkUrl` must have allowed. Resolves the name once,
 * requires all its addresses to be public, and connects only to them. Checks the peer's address again before TLS
 * starts. Uses no proxy. Trusts the certificate authorities of Node.js, including NODE_EXTRA_CA_CERTS.
 */
export async function openPageConnection(url: URL, rules: ConnectionRules): Promise<PageConnection> {
  const literal = hostLiteral(url);
  const addresses = literal === null ? await resolve(url.hostname, rules) : [literal];
  const isAllowed = (address: string) => rules.allowListed || isPublicAddress(address);
  if (addresses.length === 0 || !addresses.every(isAllowed)) return { kind: "failed", reason: "unreachable" };

  const tcp = rules.connectTcp(url, addresses);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    tcp.destroy(new Error("connecting took too long"));
  }, rules.connectTimeoutMs);
  try {
    if ((await faultBefore(tcp, "connect", rules.signal)) !== null || !isAllowed(tcp.remoteAddress ?? "")) {
      tcp.destroy();
      return { kind: "failed", reason: "unreachable" };
    }
    const host = literal ?? url.hostname;
    const socket = connectTls({
      socket: tcp,
      host, // the certificate must be for this name
      servername: literal === null ? host : "", // an address is not allowed as a server name (RFC 6066)
      rejectUnauthorized: true, // explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect
      ALPNProtocols: ["http/1.1"],
    });
    const fault = await faultBefore(socket, "secureConnect", rules.signal);
    if (fault === null) return { kind: "open", socket };
    socket.destroy();
    tcp.destroy();
    if (isLate || rules.signal.aborted) return { kind: "failed", reason: "timeout" };
    // A connection that was closed during the handshake says nothing about the certificate.
    return { kind: "failed", reason: fault === "ECONNRESET" || fault === "EPIPE" ? "unreachable" : "tls" };
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the addresses of a name; none if it does not resolve before the signal aborts. */
async function resolve(hostname: string, { allowListed, lookup, signal }: ConnectionRules): Promise<string[]> {
  if (signal.aborted) return [];
  // The system's resolver ignores the signal, so its answer is not awaited after an abort.
  const aborted = Promise.withResolvers<string[]>();
  const stop = () => aborted.resolve([]);
  signal.addEventListener("abort", stop, { once: true });
  const found = await Promise.race([lookup(hostname, { allowListed, signal }).catch(() => []), aborted.promise]);
  signal.removeEventListener("abort", stop);
  return signal.aborted ? [] : found;
}

/** Connects to the address that answers first (RFC 8305, by Node.js). Does not look up any name. */
export function connectByNode(url: URL, addresses: string[]): Socket {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const returnFound: LookupFunction = (_hostname, options, callback) =>
    options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family);
  return connect({
    host: hostLiteral(url) ?? url.hostname,
    port: Number(url.port || 443),
    lookup: returnFound, // not called for a literal, which is the checked address itself
    autoSelectFamily: true,
  });
}

/**
 * Waits for `event` and returns null. Returns the code of the error or abort if that comes first. Later errors reach
 * the caller as a failed read.
 */
async function faultBefore(
  socket: Socket,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<string | null> {
  socket.on("error", () => {});
  return once(socket, event, { signal }).then(
    () => null,
    ({ code }: { code?: string }) => code ?? "unknown",
  );
}
