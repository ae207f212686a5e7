import type { Exchange } from "./exchange.ts";

/** An open connection to a push service. The lane writes to it, sweeps it, and hears of it through its owner. */
export type PushConnection = {
  /** No more requests: those in flight end by themselves. */
  readonly draining: boolean;
  /** Ended by us, or after at least one answer: no failure of the peer. */
  readonly useful: boolean;
  /** Ended because the peer did what the connection does not understand. */
  readonly fault?: string | undefined;
  /** How many requests may be in flight at once, as the peer says now. */
  window(): number;
  /** Whether one more may be written now. */
  hasRoom(): boolean;
  write(exchange: Exchange, nowMs: number): void;
  /** Called some times a second: deadlines, silence, idleness. */
  sweep(nowMs: number): void;
  /** Drains, then closes. */
  close(): void;
};

export type ConnectionOwner = {
  /** A request has left the connection, or its window has changed. */
  onRoom(): void;
  onEnd(connection: PushConnection): void;
};

export type ConnectionLimits = {
  deadlineMs: number;
  idleMs: number;
  /** Requests in flight per connection, at most, whatever the peer allows. */
  maxStreams: number;
  /** Without a byte for this long while requests are in flight the peer is pinged; as long again, and it is given up. */
  silenceMs: number;
};
