import type { Certificate } from "./certificate.ts";
import { type FrameListeners, type FrameRequest, FrameSession } from "./frame-session.ts";
import type { PeerSettings } from "./frames.ts";
import { startTlsPeer } from "./tls-peer.ts";

export type FramePeerOptions = FrameListeners & {
  settings?: PeerSettings;
  /** Instead of the one given first. */
  certificate?: Certificate;
  /** False: requests are handed to the listeners and forgotten. */
  keeps?: boolean;
};

/**
 * A peer of HTTP/2 that does exactly what the test says, right or wrong, and keeps a record: each request from its HEADERS on
 * with its fate, and in `faults` what the client did against RFC 9113 (order of frames, limits, both windows).
 */
export async function startFramePeer(certificate: Certificate, options: FramePeerOptions = {}) {
  const sessions: FrameSession[] = [];
  const requests: FrameRequest[] = [];
  const faults: string[] = [];
  const waiting: { holds: () => boolean; resolve: () => void }[] = [];
  const look = () => {
    for (const { holds, resolve } of waiting) if (holds()) resolve();
  };
  const listeners: FrameListeners = {
    ...options,
    onHeaders(request) {
      if (options.keeps !== false) requests.push(request);
      options.onHeaders?.(request);
      look();
    },
    onRequest(request) {
      options.onRequest?.(request);
      look();
    },
  };
  const peer = await startTlsPeer({ ...(options.certificate ?? certificate), ALPNProtocols: ["h2"] }, (socket, tcp) => {
    const session = new FrameSession(sessions.length, { socket, tcp }, listeners, (fault) => faults.push(fault));
    sessions.push(session);
    if (options.greet === undefined) void session.settings(options.settings ?? {});
    else options.greet(session);
    look();
  });
  const when = (holds: () => boolean): Promise<void> =>
    holds() ? Promise.resolve() : new Promise((resolve) => waiting.push({ holds, resolve }));
  return {
    ...peer,
    sessions,
    requests,
    faults,
    /** Resolves once it holds; asked whenever a session opens, a request begins or is whole. */
    when,
    /** Resolves with the first n requests once all of their bytes are there. */
    async whenWhole(n: number): Promise<FrameRequest[]> {
      await when(() => requests.filter(({ whole }) => whole).length >= n);
      return requests.slice(0, n);
    },
  };
}

export type FramePeer = Awaited<ReturnType<typeof startFramePeer>>;
