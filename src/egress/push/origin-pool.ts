import { type ConnectResult, connectOrigin } from "./connect-origin.ts";
import type { ConnectionLimits, ConnectionOwner, PushConnection } from "./connection.ts";
import { type Exchange, settle } from "./exchange.ts";
import { Http1Connection } from "./http1-connection.ts";
import { Http2Connection } from "./http2-connection.ts";
import { LeanHttp2Connection } from "./lean-http2-connection.ts";

export type PoolLimits = ConnectionLimits & {
  connectTimeoutMs: number;
  sessionsPerOrigin: number;
  ca: string | undefined;
  /** Uses LeanHttp2Connection for HTTP/2 instead of node:http2. */
  leanHttp2: boolean;
};

/** The number of streams to assume until a peer has sent its first SETTINGS. */
const assumedStreams = 100;
const maxHttp1Sockets = 50;
const firstBackoffMs = 250;
const maxBackoffMs = 10_000;

/**
 * The connections to one origin of a push service, and a queue in which requests wait for capacity, first in, first
 * out. When all open sessions are full, it opens as many more as the queue can fill. If a connect fails, or a
 * connection ends before its first answer, the next connect waits 250 ms. Each further failure doubles this delay, up
 * to 10 s, because push services treat many connects in a short time as an attack.
 */
export class OriginPool {
  readonly #origin: URL;
  readonly #limits: PoolLimits;
  readonly #owner: ConnectionOwner;
  readonly #queue: Exchange[] = [];
  readonly #connections = new Set<PushConnection>();
  /** Connects that have not finished. Each entry is the function that cancels it. */
  readonly #connecting = new Set<() => void>();
  /** Connections whose failure was counted. A connection may report it twice: when it drains and when it ends. */
  readonly #failed = new WeakSet<PushConnection>();
  #http1 = false;
  #leanHttp2: boolean;
  #streamsPerSession: number;
  #failures = 0;
  #lastFailure: string | undefined;
  #backoffUntilMs = 0;
  #usedAtMs = performance.now();
  #closing = false;

  constructor(origin: URL, limits: PoolLimits) {
    this.#origin = origin;
    this.#limits = limits;
    this.#streamsPerSession = Math.min(assumedStreams, limits.maxStreams);
    this.#leanHttp2 = limits.leanHttp2;
    this.#owner = { onCapacityChange: () => this.#writeQueued(), onEnd: (connection) => this.#onEnd(connection) };
  }

  add(exchange: Exchange): void {
    this.#queue.push(exchange);
    this.#writeQueued();
  }

  /** Returns how many requests could be in flight if all sessions were open, by the peer's latest SETTINGS. */
  capacity(): number {
    if (this.#http1) return maxHttp1Sockets;
    let open = 0;
    let sum = 0;
    for (const connection of this.#connections) {
      if (connection.draining) continue;
      open += 1;
      this.#streamsPerSession = connection.maxInFlight();
      sum += this.#streamsPerSession;
    }
    return sum + Math.max(0, this.#limits.sessionsPerOrigin - open) * this.#streamsPerSession;
  }

  /** Applies deadlines and timeouts. Returns true if the pool is empty and unused, so that it can be removed. */
  sweep(nowMs: number): boolean {
    for (const connection of this.#connections) connection.sweep(nowMs);
    while (this.#queue.length > 0 && this.#queue[0]!.queuedUntilMs <= nowMs) {
      settle(this.#queue.shift()!, { kind: "notSent", reason: this.#lastFailure ?? "queue_timeout" });
    }
    this.#writeQueued();
    if (this.#connections.size + this.#connecting.size + this.#queue.length > 0) return false;
    return this.#closing || nowMs > this.#usedAtMs + this.#limits.idleMs;
  }

  /** Settles queued requests as notSent. Requests in flight end by themselves, at the latest at their deadline. */
  close(): void {
    this.#closing = true;
    this.#failQueue("closed");
    for (const cancelConnect of this.#connecting) cancelConnect();
    for (const connection of this.#connections) connection.close();
  }

  #writeQueued(): void {
    if (this.#queue.length === 0) return;
    const nowMs = performance.now();
    this.#usedAtMs = nowMs;
    while (this.#queue.length > 0) {
      const connection = this.#connectionWithCapacity();
      if (connection === undefined) {
        this.#openMore(nowMs);
        return;
      }
      const exchange = this.#queue.shift()!;
      if (exchange.request.mayStart?.() === false) settle(exchange, { kind: "notSent", reason: "not_started" });
      else connection.write(exchange, nowMs);
    }
  }

  /** Returns the first connection with capacity. So few connections are busy, and the others become idle and close. */
  #connectionWithCapacity(): PushConnection | undefined {
    for (const connection of this.#connections) if (connection.hasCapacity()) return connection;
    return undefined;
  }

  #openMore(nowMs: number): void {
    if (this.#closing || nowMs < this.#backoffUntilMs) return;
    let open = 0;
    for (const connection of this.#connections) {
      if (!connection.draining) open += 1;
      else this.#recordEnd(connection);
    }
    if (nowMs < this.#backoffUntilMs) return;
    const limit = this.#http1 ? maxHttp1Sockets : this.#limits.sessionsPerOrigin;
    const atOnce = this.#connectsAtOnce();
    while (this.#connecting.size < atOnce && this.#connecting.size + open < limit) this.#connect();
  }

  /**
   * Returns how many connects may run at the same time. It is one at first. Once a session is open, it is as many as
   * the queue can fill, because each connect takes two or three round trips.
   */
  #connectsAtOnce(): number {
    if (this.#http1) return this.#queue.length;
    if (this.#connections.size === 0) return 1;
    return Math.ceil(this.#queue.length / this.#streamsPerSession);
  }

  #connect(): void {
    const { connectTimeoutMs, ca } = this.#limits;
    const options = { timeoutMs: connectTimeoutMs, ca, leanHttp2: this.#leanHttp2 };
    const cancel = connectOrigin(this.#origin, options, (result) => {
      this.#connecting.delete(cancel);
      this.#onConnect(result);
    });
    this.#connecting.add(cancel);
  }

  #onConnect(result: ConnectResult): void {
    if (result.kind === "failed") {
      this.#onFailure(result.reason);
      return;
    }
    const connection = this.#createConnection(result);
    this.#http1 = result.kind === "http1";
    this.#connections.add(connection);
    this.#lastFailure = undefined;
    this.#writeQueued();
  }

  #createConnection(result: Exclude<ConnectResult, { kind: "failed" }>): PushConnection {
    const { socket } = result;
    const authority = this.#origin.host;
    if (result.kind === "http1") return new Http1Connection(socket, authority, this.#limits, this.#owner);
    if (result.kind === "http2") {
      return new Http2Connection(result.session, socket, authority, this.#limits, this.#owner);
    }
    return new LeanHttp2Connection(socket, result.received, authority, this.#limits, this.#owner);
  }

  #onEnd(connection: PushConnection): void {
    this.#connections.delete(connection);
    this.#recordEnd(connection);
    if (connection.healthy) this.#failures = 0;
    this.#writeQueued();
  }

  /**
   * Counts the failure of a connection that drains or has ended, if it is one. After a fault, node:http2 serves the
   * origin, because it implements the whole protocol.
   */
  #recordEnd(connection: PushConnection): void {
    const { fault } = connection;
    const reason = fault === undefined ? "connection_lost" : `http2_fault: ${fault}`;
    if (fault !== undefined) {
      this.#leanHttp2 = false;
      this.#lastFailure = reason;
    }
    if (connection.healthy || this.#failed.has(connection)) return;
    this.#failed.add(connection);
    this.#onFailure(reason);
  }

  #onFailure(reason: string): void {
    if (this.#closing) return;
    this.#lastFailure = reason;
    // Connects that run at the same time fail together and count once.
    const nowMs = performance.now();
    if (nowMs >= this.#backoffUntilMs) {
      if (nowMs > this.#backoffUntilMs + maxBackoffMs) this.#failures = 0;
      this.#backoffUntilMs = nowMs + Math.min(maxBackoffMs, firstBackoffMs * 2 ** this.#failures);
      this.#failures += 1;
    }
    if (this.#connections.size + this.#connecting.size === 0) this.#failQueue(reason);
  }

  #failQueue(reason: string): void {
    for (const exchange of this.#queue.splice(0)) settle(exchange, { kind: "notSent", reason });
  }
}
