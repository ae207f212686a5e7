import type { Batch } from "../../runs/ledger/claim-batch.ts";
import {
  type FinalCode,
  finalCode,
  goneCodes,
  intentAfter,
  isFinal,
  isUncertain,
  pendingCode,
  refusalCodes,
  retryCode,
  triesOf,
} from "../../runs/ledger/codes.ts";
import { endCodes } from "../../runs/ledger/end-batches.ts";
import type { RunSignal } from "../../runs/ledger/run-signal.ts";
import type { Recipient } from "../../subscribers/queries.ts";
import { backoffMs, type Outcome } from "../answers/read-answer.ts";

type Fields = {
  batch: Batch;
  /** The current codes. A flush makes them durable. */
  codes: Buffer;
  repeated: number;
  /** How many tries of a flush this claim has made. */
  flushes: number;
  /** Positions that have not had their turn in this claim, in order. */
  due: number[];
  /** The positions with an intent but no outcome, reserved or on the wire, each with its earlier code. */
  uncertain: Map<number, number>;
  news: SubscriberNews;
  /** The longest back-off of the retries, ms; 0 if none backs off. */
  retryAfterMs: number;
  /**
   * The positions whose readers must wait, because the push service asked for it. Each has the end of the wait,
   * monotonic ms.
   */
  waits: Map<number, number>;
  /** Why the last message was not taken, for the log. */
  lastFault: string | undefined;
  /** Answers of the push service that Pressbell does not know. It keeps the first one for each final code. */
  unknownReasons: Map<FinalCode, string>;
  signal: RunSignal;
  /** Until when the claim is surely ours, and when the time to live ends. Both are monotonic ms. */
  leaseEndsMs: number;
  expiresMs: number;
};

/** A claimed batch at work. Other files read it; only `reserve`, `numberFlush` and `apply` change it. */
export type BatchState = Readonly<Fields>;

/** What the codes say about subscribers. It is written in the transaction of the flush that makes the codes durable. */
export type SubscriberNews = {
  /** The push service no longer knows them. */
  gone: { id: number; endpoint: string }[];
  /** The push service refused them. */
  refused: number[];
  /**
   * The push service accepted their first message, or one after refusals in earlier runs. A first message is recorded
   * for each registered reader. For imported readers it is recorded for a few of each claim.
   */
  accepted: number[];
};

/** The most imported readers of a claim whose first accepted message is recorded. They are enough for probes. */
const firstAcceptedAtMost = 20;
/** A wait that ends up to this long after the time to live is cut short. Both are often whole minutes or hours. */
const aboutTheEndMs = 60_000;
const lastTryBeforeEndMs = 10_000;

/** An event of a claimed batch. */
export type BatchEvent =
  /** A try ended. `notStarted`: the transport was no longer allowed to write it. */
  | {
      kind: "outcome";
      recipient: Recipient;
      outcome: Outcome | { kind: "notStarted" };
      fault?: string | undefined;
      unknownReason?: string | undefined;
    }
  /** Reserved positions were not posted, because a halt came first. */
  | { kind: "notPosted"; positions: number[] }
  /** The recipient of a reserved position has left since the send. */
  | { kind: "unsubscribed"; position: number }
  /** The browser of a reserved position has registered again, and has the message by its other row. */
  | { kind: "alreadySent"; position: number }
  /** A flush returned. `deleted`: how many of the gone subscribers it deleted. */
  | { kind: "flushed"; signal: RunSignal; leaseEndsMs: number; deleted: number }
  /** The push service may refuse the key. These positions come first, and all due positions are in random order. */
  | { kind: "probed"; first: Set<number> }
  /**
   * The claim ends and its push service does not rest, so the waits belong to the readers. If a wait ends after the
   * time to live, its recipient gets a final code.
   */
  | { kind: "waitsChecked" }
  /** The run watch or the thread's own clock gave a signal for the claim. */
  | { kind: "signal"; signal: RunSignal }
  /** The run was stopped or the time to live is over. Every code that is not final becomes this code. */
  | { kind: "ended"; code: FinalCode };

/**
 * Returns the state of a batch claimed at `claimedMs` (monotonic, taken before the claim was sent). A claim tries
 * only recipients without a try, if there are any. Otherwise it tries the others again. Without this order, probes
 * and every machine in turn would post to the same few readers, and the rest would wait for their first try. Messages
 * that a dead owner left uncertain are tried again, or become `unknown` if the site says so. `waitOf`: returns the
 * earliest time for the next try of a reader, monotonic ms, 0 for most.
 */
export function openBatchState(
  batch: Batch,
  claimedMs: number,
  leaseMs: number,
  waitOf: (subscriberId: number) => number,
): BatchState {
  const codes = Buffer.from(batch.codes);
  const untried: number[] = [];
  const tried: number[] = [];
  const waits = new Map<number, number>();
  codes.forEach((code, position) => {
    if (isFinal(code)) return;
    if (isUncertain(code) && batch.onUncertain === "skip") codes[position] = finalCode.uncertain;
    else if (code === pendingCode) untried.push(position);
    else {
      const untilMs = waitOf(batch.subscriberIds[position]!);
      if (untilMs > 0) waits.set(position, untilMs);
      else tried.push(position);
    }
  });
  const isFirstTry = untried.length > 0;
  const tries = tried.map((position) => triesOf(codes[position]!));
  return {
    batch,
    codes,
    repeated: batch.repeated,
    flushes: 0,
    due: isFirstTry ? untried : tried,
    uncertain: new Map(),
    news: { gone: [], refused: [], accepted: [] },
    retryAfterMs: isFirstTry && tried.length > 0 ? backoffMs(Math.max(...tries), Math.random()) : 0,
    waits,
    lastFault: undefined,
    unknownReasons: new Map(),
    signal: "go",
    leaseEndsMs: claimedMs + leaseMs,
    expiresMs: claimedMs + batch.remainingMs,
  };
}

/** Writes the intents of the next recipients, no more than `count`, into the codes. Returns their positions. */
export function reserve(state: Fields, count: number): number[] {
  const next = state.due.splice(0, count);
  for (const position of next) {
    const code = state.codes[position]!;
    if (isUncertain(code)) state.repeated++;
    state.uncertain.set(position, code);
    state.codes[position] = intentAfter(code);
  }
  return next;
}

/** Returns the number of the next try of a flush. Its codes are newer than the codes of all earlier tries. */
export function numberFlush(state: Fields): number {
  return ++state.flushes;
}

/** Applies an event to the state. Only `reserve` and `numberFlush` also change it. */
export function apply(state: Fields, event: BatchEvent): void {
  switch (event.kind) {
    case "outcome":
      applyOutcome(state, event.recipient, event.outcome);
      state.lastFault = event.fault ?? state.lastFault;
      if (event.unknownReason !== undefined) recordUnknownReason(state, event.outcome, event.unknownReason);
      return;
    case "notPosted":
      for (const position of event.positions) {
        const before = endTry(state, position);
        if (isUncertain(before)) state.repeated--;
        state.codes[position] = before;
      }
      state.due.unshift(...event.positions);
      return;
    case "unsubscribed":
    case "alreadySent":
      applyNotPosted(state, event.position, finalCode[event.kind]);
      return;
    case "probed":
      state.due = inProbeOrder(state.due, event.first);
      return;
    case "waitsChecked":
      checkWaits(state);
      return;
    case "flushed":
      state.leaseEndsMs = event.leaseEndsMs;
      state.news.gone.splice(0, event.deleted);
      applySignal(state, event.signal);
      return;
    case "signal":
      applySignal(state, event.signal);
      return;
    case "ended":
      state.codes = endCodes(state.codes, event.code);
  }
}

function recordUnknownReason(state: Fields, outcome: Outcome | { kind: "notStarted" }, said: string): void {
  if (outcome.kind !== "final" || state.unknownReasons.has(outcome.code)) return;
  state.unknownReasons.set(outcome.code, said);
}

/** Applies a signal. A batch that was told to halt does not resume within the same claim. */
function applySignal(state: Fields, signal: RunSignal): void {
  if (signal !== "go") state.signal = signal;
}

function applyOutcome(state: Fields, recipient: Recipient, outcome: Outcome | { kind: "notStarted" }): void {
  const { position } = recipient;
  if (outcome.kind === "notStarted") {
    endUntaken(state, position);
    state.due.push(position);
    return;
  }
  if (outcome.kind === "final") {
    endTry(state, position);
    state.codes[position] = outcome.code;
    addNews(state, recipient, outcome.code);
    return;
  }
  if (outcome.kind === "uncertain" && state.batch.onUncertain === "skip") {
    endTry(state, position);
    state.codes[position] = finalCode.uncertain;
    return;
  }
  if (outcome.kind === "retry" && outcome.afterMs !== null) {
    state.waits.set(position, performance.now() + outcome.afterMs);
  } else {
    const waitMs = backoffMs(triesOf(state.codes[position]!), Math.random());
    state.retryAfterMs = Math.max(state.retryAfterMs, waitMs);
  }
  // An uncertain try keeps its intent as its code, so that its next try counts as repeated.
  if (outcome.kind === "retry") endUntaken(state, position);
  else endTry(state, position);
}

/** Ends the try at `position`. Returns its code before the try. */
function endTry(state: Fields, position: number): number {
  const before = state.uncertain.get(position)!;
  state.uncertain.delete(position);
  return before;
}

/**
 * Ends a try that was surely not taken. If an earlier try was uncertain, it stays uncertain, and this try repeated
 * nothing.
 */
function endUntaken(state: Fields, position: number): void {
  if (isUncertain(endTry(state, position))) state.repeated--;
  else state.codes[position] = retryCode(state.codes[position]!);
}

/** Gives `code` to a recipient without a POST. If an earlier try was uncertain, the code becomes `unknown`. */
function applyNotPosted(state: Fields, position: number, code: FinalCode): void {
  const wasUncertain = isUncertain(endTry(state, position));
  if (wasUncertain) state.repeated--;
  state.codes[position] = wasUncertain ? finalCode.uncertain : code;
}

/** Returns the positions in random order, the positions in `first` before the others. */
function inProbeOrder(due: number[], first: Set<number>): number[] {
  const drawn = due.map((position) => ({ position, place: Math.random() - (first.has(position) ? 1 : 0) }));
  return drawn.sort((a, b) => a.place - b.place).map(({ position }) => position);
}

/**
 * Ends recipients whose wait ends more than a minute after the time to live. A wait that ends just before or after
 * the time to live is cut short, for one last try.
 */
function checkWaits(state: Fields): void {
  const lastTryMs = state.expiresMs - lastTryBeforeEndMs;
  for (const [position, untilMs] of state.waits) {
    if (untilMs <= lastTryMs) continue;
    if (untilMs <= state.expiresMs + aboutTheEndMs && performance.now() < lastTryMs) {
      state.waits.set(position, lastTryMs);
      continue;
    }
    state.waits.delete(position);
    state.codes[position] = isUncertain(state.codes[position]!) ? finalCode.uncertain : finalCode.waitTooLong;
  }
}

function addNews({ news }: Fields, { id, endpoint, ...history }: Recipient, code: FinalCode): void {
  if (goneCodes.includes(code)) news.gone.push({ id, endpoint });
  if (refusalCodes.includes(code)) news.refused.push(id);
  if (code !== finalCode.accepted) return;
  const isNews = !history.hasAccepted && (history.isRegistered || news.accepted.length < firstAcceptedAtMost);
  if (history.refusedRuns > 0 || isNews) news.accepted.push(id);
}
