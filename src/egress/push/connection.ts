import type { Exchange } from "./exchange.ts";

/** An open connection to a push service. Its owner, the origin pool, writes requests to it and sweeps it. */
export type PushConnection = {
  /** Accepts no more requests. Those in flight end by themselves. */
  readonly draining: boolean;
  /** The end of the connection is not a failure of the peer: at least one answer came, or we ended the connection. */
  readonly healthy: boolean;
  /** Set if we ended the connection because the peer violated the protocol. */
  readonly fault?: string | undefined;
  /** Returns how many requests may be in flight at the same time, by the peer's latest SETTINGS and our own limit. */
  maxInFlight(): number;
  /** Returns whether one more request may be written now. */
  hasCapacity(): boolean;
  write(exchange: Exchange, nowMs: number): void;
  /** Applies deadlines, and detects a silent peer and an idle connection. Called several times a second. */
  sweep(nowMs: number): void;
  /** Drains, then closes. */
  close(): void;
};

export type ConnectionOwner = {
  /** A request has ended, or `maxInFlight` has changed. */
  onCapacityChange(): void;
  onEnd(connection: PushConnection): void;
};

export type ConnectionLimits = {
  deadlineMs: number;
  idleMs: number;
  /** How many requests may be in flight per connection, whatever the peer allows. */
  maxStreams: number;
  /**
   * The time without a byte, with requests in flight, after which the peer is pinged. After the same time again, the
   * peer is lost.
   */
  silenceMs: number;
};

/** How long a peer may take to close a socket that is no longer needed. */
export const lingerMs = 500;
