import { expect } from "vitest";
import type {
  PushAnswer,
  PushRequest,
  PushTransport,
  PushTransportOptions,
} from "../../../src/egress/push/transport.ts";
import { type Certificate, createCertificate } from "../../fixtures/certificate.ts";
import { type FramePeerOptions, startFramePeer } from "../../fixtures/frame-peer.ts";
import type { FrameRequest } from "../../fixtures/frame-session.ts";
import { type Received, startHttp1Peer, startHttp2Peer, startRoute, startTcpPeer } from "../../fixtures/http2-peer.ts";
import { type RawHttp1Request, startRawHttp1Peer } from "../../fixtures/raw-http1-peer.ts";
import { startTlsPeer, type TlsPeerOptions } from "../../fixtures/tls-peer.ts";
import { startTurnClock } from "../../fixtures/turn-clock.ts";

export type CreateTransport = (options: PushTransportOptions) => PushTransport;

export const protocols = ["HTTP/2", "HTTP/1.1"] as const;

type Closable = { close(): Promise<unknown>; faults?: string[] };

/**
 * Creates peers and transports for one test file. `begin()` creates the one certificate that they share. `beginTest()`,
 * before each test, starts the clock of the transports. `end()`, after each test, closes them in reverse order. It
 * fails the test if a peer recorded a protocol violation of the client. The default limits of the transports only end a
 * test that fails. Everything that a test waits for must happen long before them.
 */
export function transportFixture(createTransport: CreateTransport) {
  const closers: Closable[] = [];
  let certificate: Certificate = { cert: "", key: "" };
  let clock: ReturnType<typeof startTurnClock> | undefined;
  const closeLater = async <T extends Closable>(created: T | Promise<T>): Promise<T> => {
    const closable = await created;
    closers.push(closable);
    return closable;
  };
  const framePeer = (options: FramePeerOptions = {}) => closeLater(startFramePeer(certificate, options));
  const rawHttp1Peer = (options: Parameters<typeof startRawHttp1Peer>[1] = {}) =>
    closeLater(startRawHttp1Peer(certificate, options));
  return {
    async begin() {
      certificate = await createCertificate("push peer");
    },
    beginTest() {
      clock = startTurnClock();
    },
    /** Moves the clock of the transports on by `ms`, as if the process had stalled. */
    advance: (ms: number) => clock!.advance(ms),
    transport(options: Partial<PushTransportOptions> = {}) {
      const limits = { deadlineMs: 5_000, connectTimeoutMs: 20_000 };
      const sender = createTransport({ allowsOrigin: () => true, ...limits, ca: certificate.cert, ...options });
      closers.push(sender);
      return sender;
    },
    http2Peer: (options: Parameters<typeof startHttp2Peer>[1]) => closeLater(startHttp2Peer(certificate, options)),
    http1Peer: (onRequest: Parameters<typeof startHttp1Peer>[1]) => closeLater(startHttp1Peer(certificate, onRequest)),
    tcpPeer: (onSocket: Parameters<typeof startTcpPeer>[0]) => closeLater(startTcpPeer(onSocket)),
    tlsPeer: (options: Partial<TlsPeerOptions>, onSocket: Parameters<typeof startTlsPeer>[1] = () => {}) =>
      closeLater(startTlsPeer({ ...certificate, ...options }, onSocket)),
    framePeer,
    rawHttp1Peer,
    /** Creates a peer of either protocol, for tests that apply to both. */
    peerOf: (protocol: (typeof protocols)[number], onRequest: (request: FrameRequest | RawHttp1Request) => void) =>
      protocol === "HTTP/2" ? framePeer({ onRequest }) : rawHttp1Peer({ onRequest }),
    route: (port: number, partBytes?: number) => closeLater(startRoute(port, partBytes)),
    async end() {
      clock?.stop();
      for (const closable of closers.splice(0).reverse()) {
        await closable.close();
        expect(closable.faults ?? []).toEqual([]);
      }
    },
  };
}

export type TransportFixture = ReturnType<typeof transportFixture>;

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

/**
 * Compares the client's answers to messages 0, 1, 2… with a peer's record. No message may arrive twice. A message that
 * is answered must be processed. A message that is notSent must be incomplete at the peer, or refused.
 */
export function check(
  requests: readonly { body: string; fate: string; whole: boolean }[],
  answers: PushAnswer[],
): void {
  const byBody = Map.groupBy(
    requests.filter(({ whole }) => whole),
    ({ body }) => body,
  );
  answers.forEach(({ kind }, n) => {
    const fates = (byBody.get(`message ${n}`) ?? []).map(({ fate }) => fate);
    expect(fates.length, `message ${n} came twice`).toBeLessThan(2);
    if (kind === "answered") expect(fates, `message ${n} is answered`).toEqual(["processed"]);
    if (kind === "notSent")
      expect(fates, `message ${n} is not sent`).not.toContainEqual(expect.stringMatching(/open|processed/));
  });
}
