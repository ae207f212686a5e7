import { type ConnectTcp, connectByNode, type Lookup, lookupAll, openPageConnection } from "./connection.ts";
import { type Answer, exchangeOnce, type Failed, failed, headerValue, type WebRequest } from "./exchange.ts";
import { createFetchSlots } from "./fetch-slots.ts";
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

type NoAnswer =
  | { kind: "refused"; reason: UrlRefusal }
  /** Too many pages are being fetched, and no turn came in time: says nothing of this page. */
  | { kind: "busy" }
  | Failed;

export type PageResult = Page | NoAnswer;

/** An answer as it came, whatever its status and type. `url`: where the redirects ended, without a fragment. */
export type WebResult = (Answer & { url: string }) | NoAnswer;

export type PageFetcher = {
  /** GET `url` as a stranger's URL. `who` shares the turns of one; `signal` ends it early, as `timeout`. Never rejects. */
  fetchPage(url: string, who?: string, signal?: AbortSignal): Promise<PageResult>;
  /**
   * Any other request to a stranger's URL, through the same guard: feeds and their hubs. Only a GET follows redirects.
   * `signal` ends it early, as `timeout`. Never rejects.
   */
  request(url: string, request: WebRequest & { who?: string; signal?: AbortSignal }): Promise<WebResult>;
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

/** The only way to ask a server that a stranger names. Throws when an entry of `allowHosts` cannot be read. */
export function createPageFetcher(options: PageFetcherOptions): PageFetcher {
  const rules: UrlRules = { allowHosts: readAllowHosts(options.allowHosts), allowPorts: options.allowPorts ?? [443] };
  const { lookup = lookupAll, connectTcp = connectByNode, deadlineMs = 8000, connectTimeoutMs = 3000 } = options;
  const { maxBytes = 2 * 1024 * 1024, maxAtOnce = 20, maxEach = 4, waitMs = 5000 } = options;
  const limits = { lookup, connectTcp, connectTimeoutMs, rules };
  const turns = createFetchSlots({ maxAtOnce, maxEach });
  const underWay = new Map<AbortController, Promise<WebResult>>();
  let closed = false;

  async function askInTurn(url: string, asked: WebRequest, who: string, stop: AbortController): Promise<WebResult> {
    const wait = setTimeout(() => stop.abort(), waitMs);
    const isTurn = await turns.take(who, stop.signal);
    clearTimeout(wait);
    if (!isTurn) return closed ? failed("unreachable") : { kind: "busy" };
    const deadline = setTimeout(() => stop.abort(), deadlineMs);
    try {
      return await followRedirects(url, { maxBytes, ...asked }, limits, stop.signal);
    } finally {
      clearTimeout(deadline);
      turns.give(who);
    }
  }

  async function request(url: string, { who = "", signal, ...asked }: Parameters<PageFetcher["request"]>[1]) {
    // What the URL itself shows needs no turn.
    const verdict = judgeUrl(url, rules);
    if (!verdict.allowed) return { kind: "refused", reason: verdict.reason } as const;
    const stop = new AbortController();
    const end = () => stop.abort();
    if (closed || signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
    const result = askInTurn(url, asked, who, stop);
    underWay.set(stop, result);
    return result.finally(() => {
      signal?.removeEventListener("abort", end);
      underWay.delete(stop);
    });
  }

  async function fetchPage(url: string, who = "", signal?: AbortSignal): Promise<PageResult> {
    const result = await request(url, { who, ...(signal && { signal }) });
    return result.kind === "answer" ? asPage(result) : result;
  }

  async function close(): Promise<void> {
    closed = true;
    for (const stop of underWay.keys()) stop.abort();
    await Promise.all(underWay.values());
  }

  return { fetchPage, request, close };
}

type Limits = { lookup: Lookup; connectTcp: ConnectTcp; connectTimeoutMs: number; rules: UrlRules };

async function followRedirects(
  first: string,
  request: WebRequest & { maxBytes: number },
  limits: Limits,
  signal: AbortSignal,
): Promise<WebResult> {
  let target = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const verdict = judgeUrl(target, limits.rules);
    if (!verdict.allowed) return failed("unreachable");
    const connection = await openPageConnection(verdict.url, { ...limits, vouched: verdict.vouched, signal });
    if (connection.kind === "failed") return failed(connection.reason);
    const answer = await exchangeOnce(verdict.url, connection.socket, request, signal);
    if (answer.kind !== "answer") return answer;
    const isFollowed = redirectStatuses.has(answer.status) && request.method !== "POST";
    const location = isFollowed ? headerValue(answer.headers.location, "") : "";
    if (location === "") return { ...answer, url: verdict.url.href };
    // Servers write UTF-8 here, undici reads it as Latin-1.
    const next = URL.parse(Buffer.from(location, "latin1").toString("utf8"), verdict.url);
    if (!next) return failed("unreachable");
    target = next.href;
  }
  return failed("too_many_redirects");
}

/** The type of a body and its charset parameter, both in lower case. */
export function readContentType(headers: Answer["headers"]): { contentType: string; charset?: string } {
  const [contentType = "", ...parameters] = headerValue(headers["content-type"], "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^\s"]+)/.exec(parameter)?.[1]).find(Boolean);
  return { contentType: contentType.trim(), ...(charset === undefined ? {} : { charset }) };
}

function asPage({ url, status, headers, body }: Answer & { url: string }): Page {
  const robots = headers["x-robots-tag"];
  return {
    kind: "page",
    url,
    status,
    ...readContentType(headers),
    body,
    robotsHeader: robots === undefined ? null : [robots].flat().join("\n"),
  };
}
