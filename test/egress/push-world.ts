import { createPushTransport, type PushRequest, type PushTransportOptions } from "../../src/egress/push-transport.ts";
import { type Certificate, makeCertificate } from "../worlds/certificate.ts";
import { type Received, startHttp1Peer, startHttp2Peer, startRoute, startTcpPeer } from "../worlds/http2-peer.ts";

/** Peers and transports of one test file, with one certificate. `end()` after each test closes them, last one first. */
export async function createPushWorld() {
  const certificate: Certificate = await makeCertificate("push peer");
  const closers: (() => Promise<unknown>)[] = [];
  const kept = async <T extends { close(): Promise<unknown> }>(made: T | Promise<T>): Promise<T> => {
    const thing = await made;
    closers.push(thing.close);
    return thing;
  };
  return {
    certificate,
    closers,
    transport(options: Partial<PushTransportOptions> = {}) {
      const sender = createPushTransport({
        allowsOrigin: () => true,
        deadlineMs: 5_000,
        ca: certificate.cert,
        ...options,
      });
      closers.push(sender.close);
      return sender;
    },
    http2Peer: (options: Parameters<typeof startHttp2Peer>[1]) => kept(startHttp2Peer(certificate, options)),
    http1Peer: (onRequest: Parameters<typeof startHttp1Peer>[1]) => kept(startHttp1Peer(certificate, onRequest)),
    tcpPeer: (onSocket: Parameters<typeof startTcpPeer>[0]) => kept(startTcpPeer(onSocket)),
    route: (port: number) => kept(startRoute(port)),
    async end() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

export type PushWorld = Awaited<ReturnType<typeof createPushWorld>>;

export function message(origin: string, n = 0): PushRequest {
  const headers = { ttl: "60", authorization: "vapid t=a, k=b" };
  return { origin, path: `/push/${n}`, headers, body: Buffer.from(`message ${n}`) };
}

export function accept({ stream }: Received): void {
  stream.respond({ ":status": 201 }, { endStream: true });
}

export function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}
