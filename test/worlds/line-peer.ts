import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Certificate } from "./certificate.ts";
import { startTlsPeer } from "./tls-peer.ts";

/** A request as a peer of HTTP/1.1 sees it, once it is whole. */
export type LineRequest = {
  session: { socket: TLSSocket; tcp: Socket };
  body: string;
  fate: "open" | "processed";
  whole: true;
  head(status: number, headers?: Record<string, string>): void;
  /** `onFlushed` is called when the kernel has it: a reset that follows no longer takes it away. */
  data(text: string, end?: boolean, onFlushed?: () => void): void;
  answer(status: number, headers?: Record<string, string>, body?: string): void;
};

/** A peer of HTTP/1.1 that writes exactly what the test says, right or wrong. */
export async function startLinePeer(
  certificate: Certificate,
  options: { onRequest?: (request: LineRequest) => void } = {},
) {
  const requests: LineRequest[] = [];
  const faults: string[] = [];
  const peer = await startTlsPeer({ ...certificate, ALPNProtocols: ["http/1.1"] }, (socket, tcp) => {
    let text = "";
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      const bodyAt = text.indexOf("\r\n\r\n") + 4;
      if (bodyAt < 4) return;
      const length = Number(/^content-length: (\d+)$/im.exec(text)?.[1]);
      if (text.length < bodyAt + length) return;
      if (text.length > bodyAt + length) faults.push("bytes after a request that is not answered");
      const request = lineRequest({ socket, tcp }, text.slice(bodyAt));
      text = "";
      requests.push(request);
      options.onRequest?.(request);
    });
  });
  return { ...peer, requests, faults };
}

function lineRequest(session: LineRequest["session"], body: string): LineRequest {
  const { socket } = session;
  const request: LineRequest = {
    session,
    body,
    fate: "open",
    whole: true,
    head(status, headers = {}) {
      if (status >= 200) request.fate = "processed";
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 ${status} Said\r\n${lines.join("")}\r\n`);
    },
    data: (text, _end, onFlushed) => void socket.write(text, () => onFlushed?.()),
    answer(status, headers = {}, answerBody = "") {
      request.head(status, { "content-length": String(answerBody.length), ...headers });
      if (answerBody !== "") request.data(answerBody);
    },
  };
  return request;
}
