import { RecentHeaders } from "../http2/recent-headers.ts";
import { createExchange, type PushAnswer, type PushRequest } from "./exchange.ts";
import { OriginPool, type PoolLimits } from "./origin-pool.ts";

export type { PushAnswer, PushRequest } from "./exchange.ts";

export type PushTransport = {
  /** Never rejects, never sends a request twice, never follows a redirect. */
  post(request: PushRequest): Promise<PushAnswer>;
  /**
   * How many requests to `origin` may be in flight at once, by the peer's SETTINGS as last heard; more than that wait in
   * the transport. 0: not allowed, or the peer takes none now. Ask again after each answer, it changes.
   */
  capacity(origin: string): number;
  /** What waits is not sent, what is in flight ends first (its deadline bounds it). Resolves when no socket is left. */
  close(): Promise<void>;
};

const closingTickMs = 10;

export type PushTransportOptions = {
  /** Asked before the first request to an origin, and again when it was unused for `idleMs`. */
  allowsOrigin(origin: string): boolean;
  /** From writing the request to the end of its answer; slow bytes do not extend it. */
  deadlineMs?: number;
  connectTimeoutMs?: number;
  /** In the queue: for a connection, or for room on one. */
  queueTimeoutMs?: number;
  sessionsPerOrigin?: number;
  /** Requests in flight per session, at most, whatever the peer allows. */
  streamsPerSession?: number;
  /** A session without requests is closed after this long: before common firewalls forget it (350 s and less). */
  idleMs?: number;
  /** PEM of the authorities to trust in place of Node's own. */
  ca?: string;
  /** Speaks HTTP/2 by LeanHttp2Connection: the same answers for less work. */
  leanHttp2?: boolean;
};

/**
 * Sends to push services over HTTP/2, or HTTP/1.1 where a service has nothing better: requests in, answers out.
 * Opens connections to origins that `allowsOrigin` lets through and to nothing else; proxies of the environment are not used.
 * A failed connect answers what waits with its reason; what comes while the origin is held back waits at most `queueTimeoutMs`.
 */
export function createPushTransport(options: PushTransportOptions): PushTransport {
  const deadlineMs = options.deadlineMs ?? 10_000;
  const queueTimeoutMs = options.queueTimeoutMs ?? 5_000;
  const limits = limitsOf(options, deadlineMs);
  const headerFaults = new RecentHeaders<string | undefined>();
  const lanes = new Map<string, OriginPool>();
  // One timer scans all deadlines: a timer or signal per request is dear.
  const tickMs = Math.max(10, Math.min(250, deadlineMs / 20, queueTimeoutMs / 20));
  let timer: NodeJS.Timeout | undefined;
  let onClosed: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  const tick = () => {
    const nowMs = performance.now();
    for (const [origin, lane] of lanes) if (lane.sweep(nowMs)) lanes.delete(origin);
    if (lanes.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    onClosed?.();
  };

  const refusalOf = ({ path, headers }: PushRequest): string | undefined =>
    /^\/[\x21-\x7e]*$/.test(path) ? headerFaults.valueOf(headers, headerFault) : "invalid_path";

  const addLane = (url: URL): OriginPool => {
    const lane = new OriginPool(url, limits);
    lanes.set(url.origin, lane);
    timer ??= setInterval(tick, tickMs);
    return lane;
  };

  const close = async () => {
    for (const lane of lanes.values()) lane.close();
    if (lanes.size === 0) return;
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
      let lane = lanes.get(request.origin);
      if (lane === undefined) {
        if (!options.allowsOrigin(request.origin)) {
          return Promise.resolve({ kind: "notSent", reason: "origin_not_allowed" });
        }
        const url = parseOrigin(request.origin);
        if (url === undefined) return Promise.resolve({ kind: "notSent", reason: "invalid_origin" });
        lane = addLane(url);
      }
      const target = lane;
      return new Promise((resolve) => {
        target.add(createExchange(request, performance.now() + queueTimeoutMs, resolve));
      });
    },
    capacity(origin) {
      const lane = lanes.get(origin);
      if (lane !== undefined) return lane.capacity();
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

/** What HTTP/1.1 would read as more than one line is refused here: node:http2 lets it through. */
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
