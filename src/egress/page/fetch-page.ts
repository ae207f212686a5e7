import { createSlots } from "../../slots.ts";
import { traced } from "../../tracing.ts";
import { type ConnectTcp, connectByNode, openPageConnection } from "./connection.ts";
import { createCookieJar } from "./cookie-jar.ts";
import { type Answer, exchangeOnce, type Unreachable, unreachable, type WebRequest } from "./exchange.ts";
import { createLookup, type Lookup } from "./lookup.ts";
import { headerValue, readContentType } from "./response-headers.ts";
import { checkUrl, readAllowHosts, type UrlRefusal, type UrlRules } from "./url-guard.ts";

export type Page = {
  kind: "page";
  /** The URL after all redirects, without a fragment. */
  url: string;
  status: number;
  /** The media type in lower case, without parameters; "" if the header is missing. */
  contentType: string;
  /** The header's charset parameter, in lower case. */
  charset?: string;
  /**
   * The body, decompressed. A longer body is cut at the byte limit, because a page describes itself at its start.
   * Empty if the status is not 2xx, or the content type is neither text, HTML, XML nor JSON.
   */
  body: Buffer;
  /** The X-Robots-Tag header. Several headers are joined with a line feed. */
  robotsHeader: string | null;
};

type NoAnswer =
  | { kind: "refused"; reason: UrlRefusal }
  /** Too many fetches are running, and no slot came free in time. This says nothing about the URL. */
  | { kind: "busy" }
  | Unreachable;

export type PageResult = Page | NoAnswer;

/**
 * An answer of any status and type. `url`: the URL after all redirects, without a fragment. `movedTo`: the new
 * address of the requested URL, if its first redirects are permanent (301, 308; RFC 9110 section 15.4); otherwise
 * null.
 */
export type WebResult = (Answer & { url: string; movedTo: string | null }) | NoAnswer;

type RequestOptions = { requester?: string; signal?: AbortSignal; allowHosts?: string[] };

export type PageFetcher = {
  /**
   * Sends a GET to the untrusted `url`. `requester`: the owner of the slots that the fetch uses, such as a tenant's
   * id. If `signal` aborts, the fetch ends early as `timeout`. Never rejects.
   */
  fetchPage(url: string, requester?: string, signal?: AbortSignal): Promise<PageResult>;
  /**
   * Sends any other request to an untrusted URL with the same checks, for feeds and their hubs. Only a GET follows
   * redirects, and only without `noRedirects`. If `signal` aborts, the request ends early as `timeout`. `allowHosts`:
   * more trusted hosts, for this request alone, so that a stranger's URL never reaches them. Never rejects.
   */
  request(url: string, request: WebRequest & RequestOptions): Promise<WebResult>;
  /** Aborts all fetches, as `unreachable` or `timeout`, and waits for them. Later fetches end immediately. */
  close(): Promise<void>;
};

export type PageFetcherOptions = {
  /**
   * Servers that the operator trusts, as `host[:port]`. They may have internal addresses and other ports, but still
   * need https. An entry without a port allows every port.
   */
  allowHosts: string[];
  /** The ports of public hosts. Default: 443. */
  allowPorts?: number[];
  /** For tests: replaces DNS and the system's resolver. */
  lookup?: Lookup;
  /** For tests: the DNS servers (`address:port`) for names that the operator does not list. Default: the system's. */
  dnsServers?: string[];
  /** For tests: simulates a network that connects to another address than the requested one. */
  connectTcp?: ConnectTcp;
  /** The time for resolving, connecting, redirects and body together. Default 8,000. */
  deadlineMs?: number;
  /** The time for TCP and TLS of one hop. Default 3,000. */
  connectTimeoutMs?: number;
  /**
   * The most bytes after decompression. A longer page is cut; a longer answer to `request` is `too_large`. Default 2
   * MiB.
   */
  maxBytes?: number;
  /** How many fetches may run at the same time. Default 20. */
  maxConcurrent?: number;
  /** How many fetches of one requester may run at the same time. Default 4. */
  maxPerRequester?: number;
  /** How long a fetch waits for a slot, before its deadline starts. Default 5,000. */
  slotWaitMs?: number;
};

const maxRedirects = 3;
/** The most bytes of a page that are read. */
export const maxPageBytes = 2 * 1024 * 1024;
/** The most fetches that a process runs at the same time, in total and for one requester (a tenant, or its feeds). */
export const fetchesAtOnce = 20;
export const fetchesOfRequester = 4;
/** How long a fetch waits for a slot. */
export const maxSlotWaitMs = 5_000;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const permanentStatuses = new Set([301, 308]);

/**
 * Creates the fetcher. Every request to a server that an untrusted person names goes through it. Throws if an entry
 * of `allowHosts` cannot be parsed.
 */
export function createPageFetcher(options: PageFetcherOptions): PageFetcher {
  const rules: UrlRules = { allowHosts: readAllowHosts(options.allowHosts), allowPorts: options.allowPorts ?? [443] };
  const { lookup = createLookup(options.dnsServers), connectTcp = connectByNode } = options;
  const { deadlineMs = 8000, connectTimeoutMs = 3000 } = options;
  const { maxBytes = maxPageBytes, slotWaitMs = maxSlotWaitMs } = options;
  const { maxConcurrent = fetchesAtOnce, maxPerRequester = fetchesOfRequester } = options;
  const limits = { lookup, connectTcp, connectTimeoutMs };
  const slots = createSlots({ maxConcurrent, maxPerRequester });
  const underWay = new Map<AbortController, Promise<WebResult>>();
  let closed = false;

  async function fetchInSlot(
    url: string,
    request: WebRequest,
    { requester, stop, own }: { requester: string; stop: AbortController; own: UrlRules },
  ): Promise<WebResult> {
    const slotTimer = setTimeout(() => stop.abort(), slotWaitMs);
    const hasSlot = await slots.acquire(requester, stop.signal);
    clearTimeout(slotTimer);
    if (!hasSlot) return closed ? unreachable("unreachable") : { kind: "busy" };
    const deadlineTimer = setTimeout(() => stop.abort(), deadlineMs);
    try {
      return await followRedirects(url, { maxBytes, ...request }, { ...limits, rules: own }, stop.signal);
    } finally {
      clearTimeout(deadlineTimer);
      slots.release(requester);
    }
  }

  async function request(url: string, options: WebRequest & RequestOptions): Promise<WebResult> {
    const { requester = "", signal, allowHosts = [], ...sent } = options;
    const own = { ...rules, allowHosts: [...rules.allowHosts, ...readAllowHosts(allowHosts)] };
    // A URL that is refused for its text needs no slot.
    const verdict = checkUrl(url, own);
    if (!verdict.allowed) return { kind: "refused", reason: verdict.reason } as const;
    const stop = new AbortController();
    const abort = () => stop.abort();
    if (closed || signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    const result = traced("read a page", { "server.address": new URL(url).host }, async (span) => {
      const found = await fetchInSlot(url, sent, { requester, stop, own });
      span.setAttribute("pressbell.outcome", found.kind);
      if (found.kind === "answer") span.setAttribute("http.response.status_code", found.status);
      return found;
    });
    underWay.set(stop, result);
    return result.finally(() => {
      signal?.removeEventListener("abort", abort);
      underWay.delete(stop);
    });
  }

  async function fetchPage(url: string, requester = "", signal?: AbortSignal): Promise<PageResult> {
    const result = await request(url, { requester, cuts: true, ...(signal && { signal }) });
    return result.kind === "answer" ? toPage(result) : result;
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
  let movedTo: string | null = null;
  let isPermanent = true;
  const cookies = createCookieJar();
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const verdict = checkUrl(target, limits.rules);
    if (!verdict.allowed) return unreachable("unreachable");
    const connection = await openPageConnection(verdict.url, { ...limits, allowListed: verdict.allowListed, signal });
    if (connection.kind === "failed") return unreachable(connection.reason);
    const cookie = cookies.headerFor(verdict.url);
    const sent = cookie === undefined ? request : { ...request, headers: { ...request.headers, cookie } };
    const answer = await exchangeOnce(verdict.url, connection.socket, sent, signal);
    if (answer.kind !== "answer") return answer;
    cookies.take(verdict.url, answer.headers);
    const isFollowed = redirectStatuses.has(answer.status) && request.method !== "POST" && !request.noRedirects;
    const location = isFollowed ? headerValue(answer.headers.location, "") : "";
    if (location === "") return { ...answer, url: verdict.url.href, movedTo };
    // Servers write UTF-8 into this header, and Node.js decodes it as Latin-1.
    const next = URL.parse(Buffer.from(location, "latin1").toString("utf8"), verdict.url.href);
    if (!next) return unreachable("unreachable");
    target = next.href;
    isPermanent &&= permanentStatuses.has(answer.status);
    if (isPermanent) movedTo = target;
  }
  return unreachable("too_many_redirects");
}

function toPage({ url, status, headers, body }: Answer & { url: string }): Page {
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
