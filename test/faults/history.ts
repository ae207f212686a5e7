import type { RunStatus } from "../../src/runs/states.ts";

/**
 * One call of the API as its caller saw it. `outcome`: answered 2xx, refused with a 4xx, failed with a 5xx, or unknown
 * (no answer came: it may have been done or not).
 */
export type Call = {
  kind: "call";
  at: number;
  endedAt: number;
  method: string;
  path: string;
  /** The Idempotency-Key that went with it. */
  idempotencyKey: string | null;
  outcome: "ok" | "refused" | "failed" | "unknown";
  /** 0 where no answer came. */
  status: number;
  hasRetryAfter: boolean;
  body: Record<string, unknown>;
};

/**
 * `spawned`: it exists; `started`: it listens, or delivers. `asked`: to end, by SIGTERM. `frozen` and `thawed`: SIGSTOP
 * and SIGCONT.
 */
export type ProcessEvent = {
  kind: "process";
  at: number;
  name: string;
  pid: number;
  event: "spawned" | "started" | "killed" | "frozen" | "thawed" | "asked" | "ended";
};

/** `away`: nobody can work with it (stopped, hanging, a table locked); `cut`: its connections were ended. */
export type DatabaseEvent = { kind: "database"; at: number; event: "away" | "back" | "cut" };

/** A pause of a site: `paused` from when its answer came, `lifted` from before it was asked for. */
export type PauseEvent = { kind: "pause"; at: number; siteId: string; event: "paused" | "lifted" };

/** Who may have been on the wire when a process died, as the ledger knew it before anybody sent again. */
export type UncertainEvent = { kind: "uncertain"; at: number; pid: number; subscriberIds: number[] };

/**
 * A fault of the push service from `at` to `endedAt`, and how many messages it may leave uncertain beyond those with a
 * receipt that says so.
 */
export type PushEvent = { kind: "push"; at: number; endedAt: number; fault: string; uncertainAtMost: number };

/** Readers who left by themselves. */
export type LeftEvent = { kind: "left"; at: number; subscriberIds: number[] };

export type HistoryEvent = Call | ProcessEvent | DatabaseEvent | PauseEvent | UncertainEvent | PushEvent | LeftEvent;

/** Everything that happened in one trial. Times: ms since 1970, of a clock that is not set back. */
export type History = {
  events: HistoryEvent[];
  /** Notes what happened now, or at `at`. */
  note(event: WithoutTime<HistoryEvent>): void;
};

type WithoutTime<Event> = Event extends HistoryEvent ? Omit<Event, "at"> & { at?: number } : never;

export function createHistory(): History {
  const events: HistoryEvent[] = [];
  return { events, note: (event) => void events.push({ at: now(), ...event } as HistoryEvent) };
}

export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** What the push service noted of one message. `status` 0: nothing was answered; `accepted`: the reader would get it. */
export type PushReceipt = { index: number; at: number; status: number; accepted: boolean; runId: string };

/** One reader: its place at the push service, and its place in the database. */
export type Reader = { subscriberId: number; siteId: string; index: number };

/** What the database holds of a run, and what the API shows of it. */
export type RunEvidence = {
  runId: string;
  campaignId: string;
  siteId: string;
  kind: "live" | "test";
  status: RunStatus;
  finished: boolean;
  /** By the database's clock, in ms since 1970. */
  expiresAt: number;
  finishedAt: number | null;
  /** What the site says at the end. */
  onUncertain: "resend" | "skip";
  siteRemoved: boolean;
  /** Subscriber and code of each recipient, in the order of the batches. */
  recipients: { subscriberId: number; code: number }[];
  /** Sums of the batches' own columns. */
  sums: Record<string, number>;
  /** The final totals by code. */
  totals: Map<number, number>;
  /** The API's answer. */
  shown: Record<string, unknown>;
};

/** All that is known of one trial, for the check. */
export type Evidence = {
  events: HistoryEvent[];
  readers: Reader[];
  receipts: PushReceipt[];
  runs: RunEvidence[];
  /** Who is a subscriber at the end. */
  subscribed: Set<number>;
  /** How late the push service may have read what came in time, in ms: the longest stall of its process. */
  lagMs: number;
};

export type Span = { from: number; to: number };

/** The spans from each begin to the next end; what never ends goes on for ever. */
export function spansOf(turns: { at: number; begins: boolean }[]): Span[] {
  const spans: Span[] = [];
  for (const { at, begins } of turns.toSorted((a, b) => a.at - b.at)) {
    const open = spans.at(-1)?.to === Number.POSITIVE_INFINITY ? spans.at(-1) : undefined;
    if (begins && open === undefined) spans.push({ from: at, to: Number.POSITIVE_INFINITY });
    if (!begins && open !== undefined) open.to = at;
  }
  return spans;
}

/** A database that is back is not used again at once: pools connect anew. */
export const recoveredAfterMs = 3_000;

/** When nobody could work with the database; a cut of its connections is a moment. */
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

/** The readers who left by themselves. */
export function leftOf(events: HistoryEvent[]): Set<number> {
  return new Set(events.flatMap((event) => (event.kind === "left" ? event.subscriberIds : [])));
}
