import type { RunStatus } from "../../src/runs/states.ts";

/**
 * One call of the API as its caller saw it. `outcome` is "ok" for a 2xx, "refused" for a 4xx, "failed" for a 5xx, and
 * "unknown" without an answer. A call without an answer may or may not have taken effect.
 */
export type Call = {
  kind: "call";
  at: number;
  endedAt: number;
  method: string;
  path: string;
  /** The Idempotency-Key of the call. */
  idempotencyKey: string | null;
  outcome: "ok" | "refused" | "failed" | "unknown";
  /** The status of the answer, or 0 if there was none. */
  status: number;
  hasRetryAfter: boolean;
  body: Record<string, unknown>;
};

/**
 * An event of a process. `spawned`: it exists. `started`: it listens, or delivers. `terminated`: it got SIGTERM.
 * `frozen` and `thawed`: it got SIGSTOP and SIGCONT.
 */
export type ProcessEvent = {
  kind: "process";
  at: number;
  name: string;
  pid: number;
  event: "spawned" | "started" | "killed" | "frozen" | "thawed" | "terminated" | "ended";
};

/**
 * An event of the database. `away`: it is unusable (stopped, hanging, a table locked). `cut`: its connections were
 * closed.
 */
export type DatabaseEvent = { kind: "database"; at: number; event: "away" | "back" | "cut" };

/** A pause of a site. `paused` has the time of its answer, and `lifted` the time before its request. */
export type PauseEvent = { kind: "pause"; at: number; siteId: string; event: "paused" | "lifted" };

/**
 * A snapshot of the ledger when a process died, before any retry: the subscribers whose messages may have been on the
 * wire.
 */
export type UncertainEvent = { kind: "uncertain"; at: number; pid: number; subscriberIds: number[] };

/**
 * A fault of the push service from `at` to `endedAt`. `uncertainAtMost`: how many messages it may leave uncertain, in
 * addition to those whose receipts say so.
 */
export type PushEvent = { kind: "push"; at: number; endedAt: number; fault: string; uncertainAtMost: number };

/** Readers who unsubscribed. */
export type LeftEvent = { kind: "left"; at: number; subscriberIds: number[] };

export type HistoryEvent = Call | ProcessEvent | DatabaseEvent | PauseEvent | UncertainEvent | PushEvent | LeftEvent;

/** Everything that happened in one test. Times are ms since 1970, from a monotonic clock. */
export type History = {
  events: HistoryEvent[];
  /** Records an event with the present time, or with `at`. */
  record(event: WithoutTime<HistoryEvent>): void;
};

type WithoutTime<Event> = Event extends HistoryEvent ? Omit<Event, "at"> & { at?: number } : never;

export function createHistory(): History {
  const events: HistoryEvent[] = [];
  return { events, record: (event) => void events.push({ at: now(), ...event } as HistoryEvent) };
}

/** Returns the time in ms since 1970, from a monotonic clock. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * The push service's receipt of one message. `status` is 0 if it was not answered. `accepted`: whether the reader would
 * get it.
 */
export type PushReceipt = { index: number; at: number; status: number; accepted: boolean; runId: string };

/**
 * One reader. `index` is that of their subscription at the push service, and `subscriberId` is their id in the
 * database.
 */
export type Reader = { subscriberId: number; siteId: string; index: number };

/** A run in the database and in the API. */
export type RunEvidence = {
  runId: string;
  campaignId: string;
  siteId: string;
  kind: "live" | "test";
  status: RunStatus;
  finished: boolean;
  /** The time by the database's clock, in ms since 1970. */
  expiresAt: number;
  finishedAt: number | null;
  /** The setting of the site at the end of the test. */
  onUncertain: "resend" | "skip";
  siteRemoved: boolean;
  /** Subscriber and recipient code of each recipient, in the order of the batches. */
  recipients: { subscriberId: number; code: number }[];
  /** Sums of the batches' columns. */
  sums: Record<string, number>;
  /** The final totals by code. */
  totals: Map<number, number>;
  /** The API's answer. */
  shown: Record<string, unknown>;
};

/** Everything known of one test, for the check. */
export type Evidence = {
  events: HistoryEvent[];
  readers: Reader[];
  receipts: PushReceipt[];
  runs: RunEvidence[];
  /** The subscribers that exist at the end. */
  subscribed: Set<number>;
  /**
   * The longest stall of the push service's process in ms. It may have read a message this much later than it arrived.
   */
  lagMs: number;
};

export type Span = { from: number; to: number };

/** Returns the spans from each begin to the next end. The end of an open span is infinite. */
export function spansOf(turns: { at: number; begins: boolean }[]): Span[] {
  const spans: Span[] = [];
  for (const { at, begins } of turns.toSorted((a, b) => a.at - b.at)) {
    const open = spans.at(-1)?.to === Number.POSITIVE_INFINITY ? spans.at(-1) : undefined;
    if (begins && open === undefined) spans.push({ from: at, to: Number.POSITIVE_INFINITY });
    if (!begins && open !== undefined) open.to = at;
  }
  return spans;
}

/** The time after an outage until the database is used again, because pools have to reconnect. */
export const recoveredAfterMs = 3_000;

/** Returns the spans in which the database was unusable. A cut of its connections is a span of length 0. */
export function databaseOutages(events: HistoryEvent[]): Span[] {
  const database = events.filter((event) => event.kind === "database");
  const turns = database.filter(({ event }) => event !== "cut");
  return [
    ...spansOf(turns.map(({ at, event }) => ({ at, begins: event === "away" }))),
    ...database.filter(({ event }) => event === "cut").map(({ at }) => ({ from: at, to: at })),
  ];
}

export function callsOf(events: HistoryEvent[]): Call[] {
  return events.filter((event) => event.kind === "call");
}

export function processesOf(events: HistoryEvent[]): ProcessEvent[] {
  return events.filter((event) => event.kind === "process");
}

/** Returns the subscribers of readers who unsubscribed. */
export function leftOf(events: HistoryEvent[]): Set<number> {
  return new Set(events.flatMap((event) => (event.kind === "left" ? event.subscriberIds : [])));
}
