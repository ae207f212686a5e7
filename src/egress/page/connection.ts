import { lookup as systemLookup } from "node:dns/promises";
import { once } from "node:events";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { isPublicAddress } from "./address.ts";
import { hostLiteral } from "./url-guard.ts";

/** All addresses of a name, v4 and v6. Rejects when there is none. */
export type Lookup = (hostname: string) => Promise<string[]>;

/** A TCP connection to one of `addresses`, on the port of `url`. It may still be connecting. */
export type ConnectTcp = (url: URL, addresses: string[]) => Socket;

/** `unreachable` is one word on purpose: no address, an address inside, and nobody who answers look alike. */
export type Connection = { kind: "open"; socket: TLSSocket } | { kind: "failed"; reason: "unreachable" | "tls" };

export type ConnectionRules = {
  /** The operator lists this host: its addresses are not judged. */
  vouched: boolean;
  lookup: Lookup;
  connectTcp: ConnectTcp;
  connectTimeoutMs: number;
  /** Ends the attempt when it aborts, at whatever stage. */
  signal: AbortSignal;
};

/** The system's resolver, as every program here uses it (so /etc/hosts counts for an intranet). */
export async function lookupAll(hostname: string): Promise<string[]> {
  const found = await systemLookup(hostname, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
}

/**
 * A verified TLS connection to the host of `url`, which `judgeUrl` has allowed.
 * The name is resolved once, all its addresses have to be public, and only they are connected to; TLS begins after the
 * peer's address has been looked at. No proxy is asked, and trust is Node's own (NODE_EXTRA_CA_CERTS counts).
 */
export async function openPageConnection(url: URL, rules: ConnectionRules): Promise<Connection> {
  const literal = hostLiteral(url);
  const addresses = literal === null ? await resolve(url.hostname, rules) : [literal];
  const isFit = (address: string) => rules.vouched || isPublicAddress(address);
  if (addresses.length === 0 || !addresses.every(isFit)) return { kind: "failed", reason: "unreachable" };

  const tcp = rules.connectTcp(url, addresses);
  const late = setTimeout(() => tcp.destroy(new Error("connecting took too long")), rules.connectTimeoutMs);
  try {
    if (!(await emits(tcp, "connect", rules.signal)) || !isFit(tcp.remoteAddress ?? "")) {
      tcp.destroy();
      return { kind: "failed", reason: "unreachable" };
    }
    const host = literal ?? url.hostname;
    const socket = connectTls({
      socket: tcp,
      host, // the certificate is compared with this
      servername: literal === null ? host : "", // an address is no server name (RFC 6066)
      rejectUnauthorized: true, // also against NODE_TLS_REJECT_UNAUTHORIZED=0
      ALPNProtocols: ["http/1.1"],
    });
    if (await emits(socket, "secureConnect", rules.signal)) return { kind: "open", socket };
    socket.destroy();
    tcp.destroy();
    return { kind: "failed", reason: "tls" };
  } finally {
    clearTimeout(late);
  }
}

/** The addresses of a name; none when it has none, or none before the signal aborts. */
async function resolve(hostname: string, { lookup, signal }: ConnectionRules): Promise<string[]> {
  const aborted = Promise.withResolvers<string[]>();
  const stop = () => aborted.resolve([]);
  signal.addEventListener("abort", stop, { once: true });
  const found = await Promise.race([lookup(hostname).catch(() => []), aborted.promise]);
  signal.removeEventListener("abort", stop);
  return signal.aborted ? [] : found;
}

/** One TCP connection to whichever of `addresses` answers first (RFC 8305, by Node). Never a look-up of its own. */
export function connectByNode(url: URL, addresses: string[]): Socket {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const answer: LookupFunction = (_hostname, options, callback) =>
    options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family);
  return connect({
    host: hostLiteral(url) ?? url.hostname,
    port: Number(url.port || 443),
    lookup: answer, // not called for a literal, which is the checked address itself
    autoSelectFamily: true,
  });
}

/** Did the socket come to `event`? False after an error or an abort. Errors that come later are the reader's to see. */
async function emits(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<boolean> {
  socket.on("error", () => {});
  return once(socket, event, { signal }).then(
    () => true,
    () => false,
  );
}
