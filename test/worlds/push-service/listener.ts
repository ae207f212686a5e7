import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { type Exchange, http1Exchange, http2Exchange } from "./exchange.ts";

export type ListenerOptions = { port: number; cert: string; key: string; maxConcurrentStreams: number };

export type Service = { handle: (exchange: Exchange) => void; opened: (session: ServerHttp2Session) => void };

export type Listener = {
  port: number;
  sessions: ReadonlySet<ServerHttp2Session>;
  /** To be called once, at once: the port, and with it the origin, is only known when it listens. */
  serve(service: Service): void;
  /** Connections accepted since the start. */
  connections(): number;
  /** Ends every connection at once and frees the port. */
  close(): Promise<void>;
};

/** Listens on 127.0.0.1 for HTTP/2 and HTTP/1.1 over TLS on one port, each request an Exchange. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { cert, key, maxConcurrentStreams } = options;
  const server = createSecureServer({ allowHTTP1: true, cert, key, settings: { maxConcurrentStreams } });
  const sockets = trackSockets(server);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    // The default window of 64 KB for a whole connection would be the bottleneck.
    session.setLocalWindowSize(4 * 1024 * 1024);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    sessions,
    serve: (service) => handOn(server, sockets.under, service),
    connections: sockets.count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
        sockets.destroyAll();
      }),
  };
}

function handOn(
  server: Http2SecureServer,
  under: (socket: Pick<Socket, "remotePort"> | undefined) => Socket | undefined,
  { handle, opened }: Service,
): void {
  server.on("session", opened);
  server.on("request", (request: unknown, response: unknown) => {
    const http1 = request as IncomingMessage;
    handle(http1Exchange(http1, response as ServerResponse, () => under(http1.socket)));
  });
  // A "request" listener also makes node:http2 wrap each stream in its slow compatibility layer;
  // HTTP/2 is served from "stream" here, so that layer is taken off again.
  server.removeAllListeners("stream");
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    handle(http2Exchange(stream, headers, () => under(stream.session?.socket)));
  });
}

/** The TCP sockets, found again by the client's port: node:http2 hands out the TLS ones above them. */
function trackSockets(server: Http2SecureServer) {
  const byPort = new Map<number | undefined, Socket>();
  let accepted = 0;
  server.on("connection", (tcp: Socket) => {
    const { remotePort: port } = tcp;
    accepted++;
    byPort.set(port, tcp);
    tcp.on("error", () => {});
    tcp.on("close", () => {
      // The port may be another's by now.
      if (byPort.get(port) === tcp) byPort.delete(port);
    });
  });
  // A failed handshake, as of a client that does not trust the certificate.
  server.on("tlsClientError", () => {});
  return {
    count: () => accepted,
    under: (socket: Pick<Socket, "remotePort"> | undefined) => byPort.get(socket?.remotePort),
    destroyAll: () => {
      for (const tcp of byPort.values()) tcp.destroy();
    },
  };
}
