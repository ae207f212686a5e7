import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";

/** One request and its answer, the same over HTTP/2 and HTTP/1.1. */
export type Exchange = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Undefined over HTTP/1.1. */
  stream: ServerHttp2Stream | undefined;
  /** Calls back once: with the body (undefined beyond `limit` bytes) and its size, or `aborted` if it never ended. */
  read(limit: number, done: (body: Buffer | undefined, bytes: number) => void, aborted: () => void): void;
  answer(status: number, headers: Record<string, string>, body: string): void;
  /** Answers, then sends one byte each `everyMs` until the client goes away. */
  drip(status: number, headers: Record<string, string>, everyMs: number): void;
  /** RST_STREAM with this code; over HTTP/1.1 a reset of the connection. */
  resetStream(code: number): void;
  /** TCP RST, under the TLS. */
  resetConnection(): void;
  /** GOAWAY(NO_ERROR); over HTTP/1.1 a reset of the connection. */
  goaway(lastStreamId: number): void;
};

export function http2Exchange(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  tcp: () => Socket | undefined,
): Exchange {
  // A client that goes away is no fault of this service.
  stream.on("error", () => {});
  return {
    method: String(headers[":method"]),
    path: String(headers[":path"]),
    headers,
    stream,
    read: (limit, done, aborted) => readBody(stream, limit, done, aborted),
    answer(status, answerHeaders, body) {
      if (stream.destroyed || stream.closed) return;
      stream.respond({ ":status": status, ...answerHeaders }, { endStream: body === "" });
      if (body !== "") stream.end(body);
    },
    drip(status, answerHeaders, everyMs) {
      if (stream.destroyed || stream.closed) return;
      stream.respond({ ":status": status, ...answerHeaders });
      dripInto(stream, everyMs);
    },
    resetStream(code) {
      if (!stream.destroyed) stream.close(code);
    },
    resetConnection: () => void tcp()?.resetAndDestroy(),
    goaway: (lastStreamId) => stream.session?.goaway(0, lastStreamId),
  };
}

export function http1Exchange(
  request: IncomingMessage,
  response: ServerResponse,
  tcp: () => Socket | undefined,
): Exchange {
  response.on("error", () => {});
  const reset = (): void => void tcp()?.resetAndDestroy();
  return {
    method: String(request.method),
    path: String(request.url),
    headers: request.headers,
    stream: undefined,
    read: (limit, done, aborted) => readBody(request, limit, done, aborted),
    answer(status, headers, body) {
      response.writeHead(status, headers).end(body);
    },
    drip(status, headers, everyMs) {
      response.writeHead(status, headers);
      dripInto(response, everyMs);
    },
    resetStream: reset,
    resetConnection: reset,
    goaway: reset,
  };
}

/** INTERNAL_ERROR says nothing about whether the message was processed; REFUSED_STREAM says it was not. */
export const RESET_CODES = {
  uncertain: constants.NGHTTP2_INTERNAL_ERROR,
  notProcessed: constants.NGHTTP2_REFUSED_STREAM,
};

function readBody(
  source: ServerHttp2Stream | IncomingMessage,
  limit: number,
  done: (body: Buffer | undefined, bytes: number) => void,
  aborted: () => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let ended = false;
  source.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limit) chunks.push(chunk);
  });
  source.on("end", () => {
    // An HTTP/2 stream that was cancelled also ends.
    if ("aborted" in source && source.aborted) return;
    ended = true;
    const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    done(bytes > limit ? undefined : whole, bytes);
  });
  source.on("close", () => {
    if (!ended) aborted();
  });
}

function dripInto(out: ServerHttp2Stream | ServerResponse, everyMs: number): void {
  // Not to keep the process alive.
  const timer = setInterval(() => out.write("."), everyMs).unref();
  out.on("close", () => clearInterval(timer));
}
