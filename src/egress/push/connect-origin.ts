import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { isIP, type TcpNetConnectOpts } from "node:net";
import { type ConnectionOptions, type TLSSocket, connect as tlsConnect } from "node:tls";
import { ackFlag, frameBytesAt, frameHeadBytes, goawayFrame, maxFrameBytes, settingsFrame } from "../http2/frames.ts";
import { clientPreface } from "../http2/settings.ts";

export type ConnectResult =
  /** The peer's first SETTINGS have arrived. */
  | { kind: "http2"; session: ClientHttp2Session; socket: TLSSocket }
  /** The same, with the bytes received so far; for a LeanHttp2Connection. */
  | { kind: "lean"; socket: TLSSocket; received: Buffer }
  | { kind: "http1"; socket: TLSSocket }
  | { kind: "failed"; reason: string };

/**
 * Connects to a push service within `timeoutMs`: DNS, TCP, TLS (always verified) and, over HTTP/2, the peer's
 * SETTINGS. A peer must send its SETTINGS first (RFC 9113 section 3.4). Once they are known, no request is refused
 * because of them. A peer that sends nothing fails here, before any request is sent. Uses no proxy. Calls `done`
 * once. Returns a function that cancels the attempt and calls `done` with `connect: ECONNABORTED`.
 */
export function connectOrigin(
  origin: URL,
  options: { timeoutMs: number; ca?: string | undefined; leanHttp2: boolean },
  done: (result: ConnectResult) => void,
): () => void {
  const host = origin.hostname.replace(/^\[|\]$/g, "");
  const tls: ConnectionOptions & TcpNetConnectOpts = {
    host,
    port: Number(origin.port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ["h2", "http/1.1"],
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect.
    rejectUnauthorized: true,
    ca: options.ca,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  };
  const socket = tlsConnect(tls);
  let finished = false;
  const finish = (result: ConnectResult) => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    if (result.kind === "failed") socket.destroy();
    done(result);
  };
  const fail = (code: string) => finish({ kind: "failed", reason: `connect: ${code}` });
  const timer = setTimeout(fail, options.timeoutMs, "ETIMEDOUT");
  socket.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
  socket.on("close", () => fail("ECONNRESET"));
  socket.once("secureConnect", () => {
    if (finished) return;
    if (socket.alpnProtocol !== "h2") return finish({ kind: "http1", socket });
    if (options.leanHttp2) {
      socket.write(clientPreface);
      return awaitSettings(socket, fail, (received) => finish({ kind: "lean", socket, received }));
    }
    const session = connectHttp2(origin, { createConnection: () => socket, settings: { enablePush: false } });
    session.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    session.once("goaway", () => fail("goaway"));
    session.once("remoteSettings", () => finish({ kind: "http2", session, socket }));
  });
  return () => fail("ECONNABORTED");
}

/** Waits for the first frame, which must be SETTINGS. Calls `done` with all bytes received so far, that frame first. */
function awaitSettings(socket: TLSSocket, fail: (code: string) => void, done: (received: Buffer) => void): void {
  let received: Buffer = Buffer.alloc(0);
  const onData = (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    if (received.length < frameHeadBytes) return;
    const type = received[3]!;
    if (
      type !== settingsFrame ||
      received[4]! & ackFlag ||
      frameBytesAt(received, 0) > frameHeadBytes + maxFrameBytes
    ) {
      fail(type === goawayFrame ? "goaway" : "EPROTO");
    } else if (received.length >= frameBytesAt(received, 0)) {
      socket.off("data", onData);
      done(received);
    }
  };
  socket.on("data", onData);
}
