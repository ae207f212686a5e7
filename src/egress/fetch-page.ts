import type { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { createGunzip } from "node:zlib";
import { Client, type Dispatcher } from "undici";
import { createTurns } from "./fetch-turns.ts";
import { type ConnectTcp, connectByNode, type Lookup, lookupAll, openPageConnection } from "./page-connection.ts";
import { judgeUrl, readAllowHosts, type UrlRefusal, type UrlRules } from "./url-guard.ts";

/**
 * `unreachable`: not resolved, an address inside, nobody answers, or a redirect to what is not fetched: never told apart.
 * `timeout`: the host was reached and did not finish in time. `bad_answer`: broken HTTP or an encoding not asked for.
 */
export type UnreachableReason = "unreachable" | "tls" | "timeout" | "too_large" | "too_many_redirects" | "bad_answer";

export type Page = {
  kind: "page";
  /** Where the redirects ended, without a fragment. */
  url: string;
  status: number;
  /** Lower case, without parameters; "" when the header is missing. */
  contentType: string;
  /** The header's charset parameter, lower case. */
  charset?: string;
  /** Decompressed. Empty when the status is not 2xx, or the content type is neither text, HTML, XML nor JSON. */
  body: Buffer;
  /** X-Robots-Tag; several headers are joined with a line feed. */
  robotsHeader: string | null;
};

export type PageResult =
  | Page
  | { kind: "refused"; reason: UrlRefusal }
  /** Too many pages are being fetched, and no turn came in time: says nothing of this page. */
  | { kind: "busy" }
  | { kind: "unreachable"; reason: UnreachableReason };

export type PageFetcher = {
  /** GET `url` as a stranger's URL. `who` shares the turns of one. Never rejects. */
  fetchPage(url: string, who?: string): Promise<PageResult>;
  /** Ends what is under way (as `unreachable`, `timeout` or `busy`) and waits for it. Later fetches end at once. */
  close(): Promise<void>;
};

export type PageFetcherOptions = {
  /** `host[:port]` that the operator vouches for: loopback and other ports too, still https only. No port: every port. */
  allowHosts: string[];
  /** Ports of public hosts. Default: 443. */
  allowPorts?: number[];
  /** For tests: stands in for the system's resolver. */
  lookup?: Lookup;
  /** For tests: stands in for a network that leads elsewhere than to the address that was asked for. */
  connectTcp?: ConnectTcp;
  /** All of it: resolving, connecting, redirects, body. Default 8,000. */
  deadlineMs?: number;
  /** TCP and TLS of one hop. Default 3,000. */
  connectTimeoutMs?: number;
  /** After decompression. Default 2 MiB. */
  maxBytes?: number;
  /** Fetches at once. Default 20. */
  maxAtOnce?: number;
  /** Fetches at once of one `who`. Default 4. */
  maxEach?: number;
  /** How long a fetch waits for its turn, before its own time begins. Default 5,000. */
  waitMs?: number;
};

const maxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const requestHeaders = {
  "user-agent": "Mozilla/5.0 (compatible; Pressbell/1.0)",
  accept: "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5",
  "accept-encoding": "gzip",
};

type Limits = { lookup: Lookup; connectTcp: ConnectTcp; connectTimeoutMs: number; maxBytes: number; rules: UrlRules };
type Failed = { kind: "unreachable"; reason: UnreachableReason };
type Answer = { kind: "answer"; status: number; headers: Dispatcher.ResponseData["headers"]; body: Buffer };

/** The only way to GET what a stranger names. Throws when an entry of `allowHosts` cannot be read. */
export function createPageFetcher(options: PageFetcherOptions): PageFetcher {
  const rules: UrlRules = { allowHosts: readAllowHosts(options.allowHosts), allowPorts: options.allowPorts ?? [443] };
  const { lookup = lookupAll, connectTcp = connectByNode, deadlineMs = 8000, connectTimeoutMs = 3000 } = options;
  const { maxBytes = 2 * 1024 * 1024, maxAtOnce = 20, maxEach = 4, waitMs = 5000 } = options;
  const limits = { lookup, connectTcp, connectTimeoutMs, maxBytes, rules };
  const turns = createTurns({ maxAtOnce, maxEach });
  const underWay = new Map<AbortController, Promise<PageResult>>();
  let closed = false;

  async function fetchInTurn(url: string, who: string, stop: AbortController): Promise<PageResult> {
    const wait = setTimeout(() => stop.abort(), waitMs);
    const isTurn = await turns.take(who, stop.signal);
    clearTimeout(wait);
    if (!isTurn) return closed ? failed("unreachable") : { kind: "busy" };
    const deadline = setTimeout(() => stop.abort(), deadlineMs);
    try {
      return await followRedirects(url, limits, stop.signal);
    } finally {
      clearTimeout(deadline);
      turns.give(who);
    }
  }

  async function fetchPage(url: string, who = ""): Promise<PageResult> {
    // What the URL itself shows needs no turn.
    const verdict = judgeUrl(url, rules);
    if (!verdict.allowed) return { kind: "refused", reason: verdict.reason };
    const stop = new AbortController();
    if (closed) stop.abort();
    const result = fetchInTurn(url, who, stop);
    underWay.set(stop, result);
    return result.finally(() => underWay.delete(stop));
  }

  async function close(): Promise<void> {
    closed = true;
    for (const stop of underWay.keys()) stop.abort();
    await Promise.all(underWay.values());
  }

  return { fetchPage, close };
}

async function followRedirects(first: string, limits: Limits, signal: AbortSignal): Promise<PageResult> {
  let target = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const verdict = judgeUrl(target, limits.rules);
    if (!verdict.allowed) return failed("unreachable");
    const connection = await openPageConnection(verdict.url, { ...limits, vouched: verdict.vouched, signal });
    if (connection.kind === "failed") return failed(connection.reason);
    const answer = await getOnce(verdict.url, connection.socket, limits.maxBytes, signal);
    if (answer.kind !== "answer") return answer;
    const location = redirectStatuses.has(answer.status) ? headerValue(answer.headers.location, "") : "";
    if (location === "") return asPage(verdict.url, answer);
    // Servers write UTF-8 here, undici reads it as Latin-1.
    const next = URL.parse(Buffer.from(location, "latin1").toString("utf8"), verdict.url);
    if (!next) return failed("unreachable");
    target = next.href;
  }
  return failed("too_many_redirects");
}

/** One request on one connection, which is closed after it. */
async function getOnce(url: URL, socket: TLSSocket, maxBytes: number, signal: AbortSignal): Promise<Answer | Failed> {
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
    const path = url.pathname + url.search;
    const {
      statusCode: status,
      headers,
      body,
    } = await client.request({
      method: "GET",
      path,
      headers: requestHeaders,
      signal,
    });
    if (!isReadable(status, headers)) return { kind: "answer", status, headers, body: Buffer.alloc(0) };
    const read = await readBody(body, headerValue(headers["content-encoding"], "identity"), maxBytes);
    return Buffer.isBuffer(read) ? { kind: "answer", status, headers, body: read } : failed(read);
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
  maxBytes: number,
): Promise<Buffer | "too_large" | "bad_answer"> {
  const coding = encoding.trim().toLowerCase();
  if (!["identity", "gzip", "x-gzip"].includes(coding)) return "bad_answer";
  const source = coding === "identity" ? body : unzip(body);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) return "too_large";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

function unzip(body: Readable): Readable {
  const unzipped = createGunzip();
  body.on("error", (error) => unzipped.destroy(error));
  return body.pipe(unzipped);
}

function isReadable(status: number, headers: Answer["headers"]): boolean {
  const contentType = headerValue(headers["content-type"], "");
  return status >= 200 && status < 300 && /^\s*$|^\s*text\/|html|xml|json/i.test(contentType);
}

function asPage(url: URL, { status, headers, body }: Answer): Page {
  const [contentType = "", ...parameters] = headerValue(headers["content-type"], "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^\s"]+)/.exec(parameter)?.[1]).find(Boolean);
  const robots = headers["x-robots-tag"];
  return {
    kind: "page",
    url: url.href,
    status,
    contentType: contentType.trim(),
    ...(charset === undefined ? {} : { charset }),
    body,
    robotsHeader: robots === undefined ? null : [robots].flat().join("\n"),
  };
}

function headerValue(value: string | string[] | undefined, missing: string): string {
  return (Array.isArray(value) ? value[0] : value) ?? missing;
}

function failed(reason: UnreachableReason): Failed {
  return { kind: "unreachable", reason };
}
