import type { RequestListener } from "node:http";
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from "node:http2";
import { createServer as createHttp1Server } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { Transform } from "node:stream";
import type { Certificate } from "./certificate.ts";

/** What a peer got: the whole request, not yet answered. */
export type Received = { stream: ServerHttp2Stream; headers: IncomingHttpHeaders; body: string; session: number };

export type Http2Peer = {
  origin: string;
  port: number;
  sessions: ServerHttp2Session[];
  received: Received[];
  /** Resolves with the first n requests once they are there. */
  whenReceived(n: number): Promise<Received[]>;
  close(): Promise<void>;
};

/** A strict HTTP/2 server (Node's own). `onRequest` answers; without it nothing is answered until the test does. */
export async function startHttp2Peer(
  certificate: Certificate,
  options: { settings?: Settings; host?: string; onRequest?: (received: Received) => void } = {},
): Promise<Http2Peer> {
  const server = createSecureServer({ ...certificate, settings: options.settings ?? {} });
  const sessions: ServerHttp2Session[] = [];
  const received: Received[] = [];
  const waiting: { n: number; resolve: (all: Received[]) => void }[] = [];
  server.on("session", (session) => {
    sessions.push(session);
    session.on("error", () => {});
  });
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const session = sessions.indexOf(stream.session as ServerHttp2Session);
    let body = "";
    stream.on("error", () => {});
    stream.setEncoding("latin1");
    stream.on("data", (text) => {
      body += text;
    });
    stream.on("end", () => {
      const request = { stream, headers, body, session };
      received.push(request);
      options.onRequest?.(request);
      for (const { n, resolve } of waiting) if (received.length >= n) resolve(received.slice(0, n));
    });
  });
  const host = options.host ?? "127.0.0.1";
  const port = await listen(server, host);
  return {
    origin: host.includes(":") ? `https://[${host}]:${port}` : `https://localhost:${port}`,
    port,
    sessions,
    received,
    whenReceived(n) {
      if (received.length >= n) return Promise.resolve(received.slice(0, n));
      return new Promise((resolve) => waiting.push({ n, resolve }));
    },
    close: async () => {
      for (const session of sessions) session.destroy();
      await stop(server);
    },
  };
}

/** A server that speaks HTTP/1.1 only, and counts its sockets. */
export async function startHttp1Peer(certificate: Certificate, onRequest: RequestListener) {
  const server = createHttp1Server({ ...certificate, keepAliveTimeout: 60_000 }, onRequest);
  const sockets = new Set<Socket>();
  server.on("secureConnection", (socket) => sockets.add(socket));
  const port = await listen(server, "127.0.0.1");
  return {
    origin: `https://localhost:${port}`,
    sockets,
    close: async () => {
      server.closeAllConnections();
      await stop(server);
    },
  };
}

/** A TCP server that hands each connection to `onSocket` and counts them. */
export async function startTcpPeer(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onSocket(socket);
  });
  const port = await listen(server, "127.0.0.1");
  return {
    origin: `https://localhost:${port}`,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await stop(server);
    },
  };
}

/**
 * Hands bytes on to `port`, until `cut()`: from then on nothing passes and nothing is closed, as behind a lost route.
 * While `refuse(true)` holds, new connections are closed at once. With `partBytes` what comes back arrives in parts of that size.
 */
export async function startRoute(port: number, partBytes = Number.POSITIVE_INFINITY) {
  const ends: Socket[] = [];
  let refusing = false;
  const route = await startTcpPeer((near) => {
    if (refusing) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    far.on("error", () => {});
    ends.push(near, far);
    near.setNoDelay();
    near.pipe(far).pipe(inParts(partBytes)).pipe(near);
  });
  return {
    ...route,
    refuse: (refuse: boolean) => {
      refusing = refuse;
    },
    cut: () => {
      for (const end of ends) end.unpipe().pause();
    },
    close: async () => {
      for (const end of ends) end.destroy();
      await route.close();
    },
  };
}

function inParts(bytes: number): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += bytes) this.push(chunk.subarray(at, at + bytes));
      done();
    },
  });
}

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
