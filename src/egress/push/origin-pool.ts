import { type ConnectResult, connectPush } from "./connect.ts";
import type { ConnectionLimits, ConnectionOwner, PushConnection } from "./connection.ts";
import { type Exchange, settle } from "./exchange.ts";
import { Http1Connection } from "./http1-connection.ts";
import { Http2Connection } from "./http2-connection.ts";
import { LeanHttp2Connection } from "./lean-http2-connection.ts";

export type PoolLimits = ConnectionLimits & {
  connectTimeoutMs: number;
  sessionsPerOrigin: number;
  ca: string | undefined;
  /** Whether HTTP/2 is spoken by LeanHttp2Connection rather than by node:http2. */
  leanHttp2: boolean;
};

/** Until a peer has sent its SETTINGS once. */
const assumedStreams = 100;
const maxHttp1Sockets = 50;
const firstHoldMs = 250;
const maxHoldMs = 10_000;

/**
 * All that goes to one push service: requests wait here, first in first out, for room on a connection.
 * A further session is opened when those open are full, one at a time. A connect that fails, or a connection lost before
 * it gave one answer, holds back the next connect for 250 ms, doubling to 10 s: services take a quick succession for an attack.
 */
export class OriginPool {
  readonly #origin: URL;
  readonly #limits: PoolLimits;
  readonly #owner: ConnectionOwner;
  readonly #queue: Exchange[] = [];
  readonly #connections = new Set<PushConnection>();
  readonly #connecting = new Set<() => void>();
  /** Those whose failure was counted: a connection fails once, as it drains or as it ends. */
  readonly #failed = new WeakSet<PushConnection>();
  #http1 = false;
  #leanHttp2: boolean;
  #streams: number;
  #failures = 0;
  #failure: string | undefined;
  #holdUntilMs = 0;
  #usedAtMs = performance.now();
  #closing = false;

  constructor(origin: URL, limits: PoolLimits) {
    this.#origin = origin;
    this.#limits = limits;
    this.#streams = Math.min(assumedStreams, limits.maxStreams);
    this.#leanHttp2 = limits.leanHttp2;
    this.#owner = { onRoom: () => this.#pump(), onEnd: (connection) => this.#onEnd(connection) };
  }

  add(exchange: Exchange): void {
    this.#queue.push(exchange);
    this.#pump();
  }

  /** How many requests may be in flight at once if all sessions were open, by what the peer said last. */
  capacity(): number {
    if (this.#http1) return maxHttp1Sockets;
    let open = 0;
    let sum = 0;
    for (const connection of this.#connections) {
      if (connection.draining) continue;
      open += 1;
      this.#streams = connection.window();
      sum += this.#streams;
    }
    return sum + Math.max(0, this.#limits.sessionsPerOrigin - open) * this.#streams;
  }

  /** True when nothing is left to sweep: the lane can be forgotten. */
  sweep(nowMs: number): boolean {
    for (const connection of this.#connections) connection.sweep(nowMs);
    while (this.#queue.length > 0 && this.#queue[0]!.queuedUntilMs <= nowMs) {
      settle(this.#queue.shift()!, { kind: "notSent", reason: this.#failure ?? "queue_timeout" });
    }
    this.#pump();
    if (this.#connections.size + this.#connecting.size + this.#queue.length > 0) return false;
    return this.#closing || nowMs > this.#usedAtMs + this.#limits.idleMs;
  }

  /** What waits is not sent; what is in flight ends by itself, at its deadline at the latest. */
  close(): void {
    this.#closing = true;
    this.#failQueue("closed");
    for (const giveUp of this.#connecting) giveUp();
    for (const connection of this.#connections) connection.close();
  }

  #pump(): void {
    if (this.#queue.length === 0) return;
    const nowMs = performance.now();
    this.#usedAtMs = nowMs;
    while (this.#queue.length > 0) {
      const connection = this.#connectionWithRoom();
      if (connection === undefined) {
        this.#openMore(nowMs);
        return;
      }
      const exchange = this.#queue.shift()!;
      if (exchange.request.mayStart?.() === false) settle(exchange, { kind: "notSent", reason: "not_started" });
      else connection.write(exchange, nowMs);
    }
  }

  /** The first one with room: so few connections are busy, and the others grow idle and close. */
  #connectionWithRoom(): PushConnection | undefined {
    for (const connection of this.#connections) if (connection.hasRoom()) return connection;
    return undefined;
  }

  #openMore(nowMs: number): void {
    if (this.#closing || nowMs < this.#holdUntilMs) return;
    let open = 0;
    for (const connection of this.#connections) {
      if (!connection.draining) open += 1;
      else this.#learnFrom(connection);
    }
    if (nowMs < this.#holdUntilMs) return;
    const limit = this.#http1 ? maxHttp1Sockets : this.#limits.sessionsPerOrigin;
    const atOnce = this.#http1 ? this.#queue.length : 1;
    while (this.#connecting.size < atOnce && this.#connecting.size + open < limit) this.#connect();
  }

  #connect(): void {
    const { connectTimeoutMs, ca } = this.#limits;
    const options = { timeoutMs: connectTimeoutMs, ca, leanHttp2: this.#leanHttp2 };
    const giveUp = connectPush(this.#origin, options, (result) => {
      this.#connecting.delete(giveUp);
      this.#onConnect(result);
    });
    this.#connecting.add(giveUp);
  }

  #onConnect(result: ConnectResult): void {
    if (result.kind === "failed") {
      this.#onFailure(result.reason);
      return;
    }
    const connection = this.#open(result);
    this.#http1 = result.kind === "http1";
    this.#connections.add(connection);
    this.#failure = undefined;
    this.#pump();
  }

  #open(result: Exclude<ConnectResult, { kind: "failed" }>): PushConnection {
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
    this.#learnFrom(connection);
    if (connection.useful) this.#failures = 0;
    this.#pump();
  }

  /** From a connection that drains or has ended. Whom the lean one does not understand is served by the one that knows more. */
  #learnFrom(connection: PushConnection): void {
    const { fault } = connection;
    const reason = fault === undefined ? "connection_lost" : `http2_fault: ${fault}`;
    if (fault !== undefined) {
      this.#leanHttp2 = false;
      this.#failure = reason;
    }
    if (connection.useful || this.#failed.has(connection)) return;
    this.#failed.add(connection);
    this.#onFailure(reason);
  }

  #onFailure(reason: string): void {
    if (this.#closing) return;
    this.#failure = reason;
    // Connects that were under way together fail together, and count once.
    const nowMs = performance.now();
    if (nowMs >= this.#holdUntilMs) {
      if (nowMs > this.#holdUntilMs + maxHoldMs) this.#failures = 0;
      this.#holdUntilMs = nowMs + Math.min(maxHoldMs, firstHoldMs * 2 ** this.#failures);
      this.#failures += 1;
    }
    if (this.#connections.size + this.#connecting.size === 0) this.#failQueue(reason);
  }

  #failQueue(reason: string): void {
    for (const exchange of this.#queue.splice(0)) settle(exchange, { kind: "notSent", reason });
  }
}
