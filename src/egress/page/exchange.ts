import type { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { createGunzip } from "node:zlib";
import { Client, type Dispatcher } from "undici";
import type { UnreachableReason } from "./fetch-page.ts";

const requestHeaders = {
  "user-agent": "Mozilla/5.0 (compatible; Pressbell/1.0)",
  accept: "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5",
  "accept-encoding": "gzip",
};

/** What is asked of a stranger's server. Left alone it is a page's GET. */
export type WebRequest = {
  method?: "GET" | "POST";
  /** Beside, or in place of, a page's own; names in lower case. */
  headers?: Record<string, string>;
  body?: string;
  /** After decompression. Default: the fetcher's. */
  maxBytes?: number;
  /** What is longer is cut off there, instead of refused as `too_large`. */
  cuts?: boolean;
  /** Reads the body whatever its content type says: feeds come under any. */
  anyType?: boolean;
};

export type Failed = { kind: "unreachable"; reason: UnreachableReason };
export type Answer = { kind: "answer"; status: number; headers: Dispatcher.ResponseData["headers"] } & WholeBody;
type WholeBody = { body: Buffer; isCut: boolean };

/** One request on one connection, which is closed after it. */
export async function exchangeOnce(
  url: URL,
  socket: TLSSocket,
  request: WebRequest & { maxBytes: number },
  signal: AbortSignal,
): Promise<Answer | Failed> {
  let handedOut = false;
  const client = new Client(url.origin, {
    // Undici would connect again, and resolve again, after a close; there is only the connection that was checked.
    connect: (_options, callback) => {
      const used = handedOut;
      handedOut = true;
      // Not at once: undici overlooks a callback that comes before its own call returns.
      queueMicrotask(() => (used ? callback(new Error("the connection is used up"), null) : callback(null, socket)));
    },
    allowH2: false,
    maxHeaderSize: 32 * 1024,
  });
  try {
    const { method = "GET", body: sent = null } = request;
    const headers = { ...requestHeaders, ...request.headers };
    const path = url.pathname + url.search;
    const answer = await client.request({ method, path, headers, body: sent, signal });
    const { statusCode: status, headers: given } = answer;
    if (!isReadable(status, given, request.anyType)) {
      return { kind: "answer", status, headers: given, body: Buffer.alloc(0), isCut: false };
    }
    const read = await readBody(answer.body, headerValue(given["content-encoding"], "identity"), request);
    return typeof read === "string" ? failed(read) : { kind: "answer", status, headers: given, ...read };
  } catch {
    return failed(signal.aborted ? "timeout" : "bad_answer");
  } finally {
    await client.destroy().catch(() => {});
    socket.destroy();
  }
}

/** Reads at most `maxBytes` after decompression; rejects when the stream breaks off. */
async function readBody(
  body: Readable,
  encoding: string,
  { maxBytes, cuts = false }: { maxBytes: number; cuts?: boolean },
): Promise<WholeBody | "too_large" | "bad_answer"> {
  const coding = encoding.trim().toLowerCase();
  if (!["identity", "gzip", "x-gzip"].includes(coding)) return "bad_answer";
  const source = coding === "identity" ? body : unzip(body);
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

function unzip(body: Readable): Readable {
  const unzipped = createGunzip();
  body.on("error", (error) => unzipped.destroy(error));
  return body.pipe(unzipped);
}

function isReadable(status: number, headers: Answer["headers"], anyType = false): boolean {
  const contentType = headerValue(headers["content-type"], "");
  return status >= 200 && status < 300 && (anyType || /^\s*$|^\s*text\/|html|xml|json/i.test(contentType));
}

/** The first line of a header, or `missing`. */
export function headerValue(value: string | string[] | undefined, missing: string): string {
  return (Array.isArray(value) ? value[0] : value) ?? missing;
}

export function failed(reason: UnreachableReason): Failed {
  return { kind: "unreachable", reason };
}
