import { once } from "node:events";
import { type IncomingMessage, request as requestByNode } from "node:http";
import { addAbortSignal, Duplex, pipeline, type Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { createAnswerReader, headBytesAtMost } from "./lenient-head.ts";
import { headersOf, headerValue, type ResponseHeaders } from "./response-headers.ts";

const requestHeaders = {
  "user-agent": "Mozilla/5.0 (compatible; Pressbell/1.0)",
  accept: "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5",
  "accept-encoding": "gzip, br",
};

/** A request to an untrusted server. By default a GET for a page. */
export type WebRequest = {
  method?: "GET" | "POST";
  /** Headers that add to those of a request for a page, or replace them. Names are in lower case. */
  headers?: Record<string, string>;
  body?: string;
  /** The most bytes after decompression. Default: the fetcher's. */
  maxBytes?: number;
  /** Cuts a longer body at `maxBytes`, instead of failing with `too_large`. */
  cuts?: boolean;
  /** Reads the body of every content type, because servers send feeds with any type. */
  anyType?: boolean;
  /** Reads the body of every status, because APIs explain errors there. */
  anyStatus?: boolean;
  /**
   * Returns a redirect instead of following it, because the next host would get the headers too. A POST never follows
   * one.
   */
  noRedirects?: boolean;
};

/**
 * Why there is no answer.
 * - `unreachable`: the name does not resolve, it resolves to an internal address, nothing answers, or a redirect
 *   leads to a URL that is not allowed. These cases are never distinguished, so that callers cannot scan an internal
 *   network.
 * - `timeout`: the host was reached but did not finish in time.
 * - `bad_answer`: broken HTTP, or an encoding that was not requested.
 */
export type UnreachableReason = "unreachable" | "tls" | "timeout" | "too_large" | "too_many_redirects" | "bad_answer";

export type Unreachable = { kind: "unreachable"; reason: UnreachableReason };
export type Answer = { kind: "answer"; status: number; headers: ResponseHeaders } & ReceivedBody;
type ReceivedBody = { body: Buffer; isCut: boolean };

/** Sends one request on `socket` and reads the answer. Closes the socket. Never rejects. */
export async function exchangeOnce(
  url: URL,
  socket: TLSSocket,
  request: WebRequest & { maxBytes: number },
  signal: AbortSignal,
): Promise<Answer | Unreachable> {
  try {
    const response = await answerOf(url, socket, request, signal);
    const { statusCode: status = 0 } = response;
    const headers = headersOf(response);
    if (!isReadable(status, headers, request)) {
      return { kind: "answer", status, headers, body: Buffer.alloc(0), isCut: false };
    }
    const coding = headerValue(headers["content-encoding"], "identity");
    const read = await readBody(response, coding, { ...request, signal });
    return typeof read === "string" ? unreachable(read) : { kind: "answer", status, headers, ...read };
  } catch {
    return unreachable(signal.aborted ? "timeout" : "bad_answer");
  } finally {
    socket.destroy();
  }
}

/**
 * Sends the request and returns the answer as soon as its head is there. Rejects if no head comes. The parser is as
 * lenient as browsers are. This is safe: nothing follows the answer on this connection, so no other reader can divide
 * the bytes differently.
 */
async function answerOf(
  url: URL,
  socket: TLSSocket,
  { method = "GET", headers, body }: WebRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const readable = createAnswerReader();
  // A connection that breaks also ends the answer.
  pipeline(socket, readable, () => {});
  const duplex = Duplex.from({ writable: socket, readable }).on("error", () => {});
  const sent = requestByNode({
    method,
    path: url.pathname + url.search,
    signal,
    headers: { host: url.host, ...requestHeaders, ...headers },
    // Uses the connection that was checked, so that nothing resolves the name again.
    createConnection: () => duplex,
    insecureHTTPParser: true,
    maxHeaderSize: headBytesAtMost,
  });
  sent.on("error", () => {});
  sent.end(body);
  const [response] = (await once(sent, "response", { signal })) as [IncomingMessage];
  return response;
}

/** Reads at most `maxBytes` after decompression. Rejects if the stream ends early or `signal` is aborted. */
async function readBody(
  body: Readable,
  encoding: string,
  { maxBytes, cuts = false, signal }: { maxBytes: number; cuts?: boolean; signal: AbortSignal },
): Promise<ReceivedBody | "too_large" | "bad_answer"> {
  const source = decode(body, encoding.trim().toLowerCase());
  if (source === null) return "bad_answer";
  addAbortSignal(signal, source);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes && !cuts) return "too_large";
    chunks.push(chunk);
    if (bytes > maxBytes) return { body: Buffer.concat(chunks, maxBytes), isCut: true };
  }
  return { body: Buffer.concat(chunks, bytes), isCut: false };
}

/**
 * Returns the decompressed body; null if its encoding was not offered. A compressed body comes in chunks of at most
 * 16 KiB.
 */
function decode(body: Readable, coding: string): Readable | null {
  if (coding === "identity") return body;
  const isGzip = coding === "gzip" || coding === "x-gzip";
  if (!isGzip && coding !== "br") return null;
  const decoded = isGzip ? createGunzip() : createBrotliDecompress();
  body.on("error", (error) => decoded.destroy(error));
  return body.pipe(decoded);
}

function isReadable(status: number, headers: ResponseHeaders, { anyType, anyStatus }: WebRequest): boolean {
  const contentType = headerValue(headers["content-type"], "");
  const isSuccess = status >= 200 && status < 300;
  return (isSuccess || anyStatus === true) && (anyType === true || /^\s*$|^\s*text\/|html|xml|json/i.test(contentType));
}

export function unreachable(reason: UnreachableReason): Unreachable {
  return { kind: "unreachable", reason };
}
