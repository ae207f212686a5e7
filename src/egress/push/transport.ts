import { createExchange, type PushAnswer, type PushRequest } from "./exchange.ts";
import { HeaderCache } from "./header-cache.ts";
import { OriginPool, type PoolLimits } from "./origin-pool.ts";

export type { PushAnswer, PushRequest } from "./exchange.ts";

export type PushTransport = {
  /** Sends a request. Never rejects, never sends a request twice, never follows a redirect. */
  post(request: PushRequest): Promise<PushAnswer>;
  /**
   * Returns how many requests to `origin` may be in flight at the same time, by the peer's latest SETTINGS. Further
   * requests wait in the transport. Returns 0 if the origin is not allowed or the peer accepts none now. Changes with
   * each answer.
   */
  capacity(origin: string): number;
  /** Settles queued requests as notSent, and waits for those in flight. Resolves when all sockets are closed. */
  close(): Promise<void>;
};

const closingTickMs = 10;

export type PushTransportOptions = {
  /** Called before the first request to an origin, and again before the next request if it was unused for `idleMs`. */
  allowsOrigin(origin: string): boolean;
  /** The time from the write of a request to the end of its answer. Slow bytes do not extend it. Default 10,000. */
  deadlineMs?: number;
  /** Default 4,000. */
  connectTimeoutMs?: number;
  /** How long a request may wait for a connection, or for capacity on one. Default 5,000. */
  queueTimeoutMs?: number;
  /** Default 4. */
  sessionsPerOrigin?: number;
  /** How many requests may be in flight per session, whatever the peer allows. Default 250. */
  streamsPerSession?: number;
  /**
   * The time without requests after which a session is closed, before common firewalls drop it (350 s and less).
   * Default 120,000.
   */
  idleMs?: number;
  /** The certificate authorities to trust instead of Node's own, in PEM format. */
  ca?: string;
  /** Uses LeanHttp2Connection for HTTP/2, which gives the same answers with less work. Default false. */
  leanHttp2?: boolean;
};

/**
 * Creates a transport to push services, over HTTP/2, or over HTTP/1.1 if a service supports nothing better. It connects
 * only to origins that `allowsOrigin` accepts, and ignores the environment's proxies. A failed connect settles all
 * queued requests with its reason. Requests that come during the backoff after it wait at most `queueTimeoutMs`.
 */
export function createPushTransport(options: PushTransportOptions): PushTransport {
  const deadlineMs = options.deadlineMs ?? 10_000;
  const queueTimeoutMs = options.queueTimeoutMs ?? 5_000;
  const limits = limitsOf(options, deadlineMs);
  const headerFaults = new HeaderCache<string | undefined>();
  const pools = new Map<string, OriginPool>();
  // One timer checks all deadlines, because a timer or signal per request would be expensive.
  const tickMs = Math.max(10, Math.min(250, deadlineMs / 20, queueTimeoutMs / 20));
  let timer: NodeJS.Timeout | undefined;
  let onClosed: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  const sweep = () => {
    const nowMs = performance.now();
    for (const [origin, pool] of pools) if (pool.sweep(nowMs)) pools.delete(origin);
    if (pools.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    onClosed?.();
  };
  // An immediate runs after sockets are read. So answers that came while the process stood still are read before their
  // deadlines apply, and nothing is repeated.
  const tick = () => setImmediate(sweep);

  const refusalOf = ({ path, headers }: PushRequest): string | undefined =>
    /^\/[\x21-\x7e]*$/.test(path) ? headerFaults.get(headers, headerFault) : "invalid_path";

  const addPool = (url: URL): OriginPool => {
    const pool = new OriginPool(url, limits);
    pools.set(url.origin, pool);
    timer ??= setInterval(tick, tickMs);
    return pool;
  };

  const close = async () => {
    for (const pool of pools.values()) pool.close();
    if (pools.size === 0) return;
    clearInterval(timer);
    timer = setInterval(tick, closingTickMs);
    await new Promise<void>((resolve) => {
      onClosed = resolve;
    });
  };

  return {
    post(request) {
      const refusal = closing === undefined ? refusalOf(request) : "closed";
      if (refusal !== undefined) return Promise.resolve({ kind: "notSent", reason: refusal });
      let pool = pools.get(request.origin);
      if (pool === undefined) {
        if (!options.allowsOrigin(request.origin)) {
          return Promise.resolve({ kind: "notSent", reason: "origin_not_allowed" });
        }
        const url = parseOrigin(request.origin);
        if (url === undefined) return Promise.resolve({ kind: "notSent", reason: "invalid_origin" });
        pool = addPool(url);
      }
      const target = pool;
      return new Promise((resolve) => {
        target.add(createExchange(request, performance.now() + queueTimeoutMs, resolve));
      });
    },
    capacity(origin) {
      const pool = pools.get(origin);
      if (pool !== undefined) return pool.capacity();
      return options.allowsOrigin(origin) ? limits.sessionsPerOrigin * Math.min(100, limits.maxStreams) : 0;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function limitsOf(options: PushTransportOptions, deadlineMs: number): PoolLimits {
  return {
    deadlineMs,
    connectTimeoutMs: options.connectTimeoutMs ?? 4_000,
    sessionsPerOrigin: options.sessionsPerOrigin ?? 4,
    maxStreams: options.streamsPerSession ?? 250,
    idleMs: options.idleMs ?? 120_000,
    silenceMs: 0.3 * deadlineMs,
    ca: options.ca,
    leanHttp2: options.leanHttp2 ?? false,
  };
}

/** Returns the fault of headers that HTTP/1.1 would read as more than one line. node:http2 accepts such headers. */
function headerFault(headers: Record<string, string>): string | undefined {
  for (const name in headers) {
    if (!/^[a-z0-9-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(headers[name]!)) return "invalid_header";
  }
  return undefined;
}

function parseOrigin(origin: string): URL | undefined {
  if (!URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  return url.protocol === "https:" && url.origin === origin ? url : undefined;
}
