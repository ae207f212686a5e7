import type { Batch, RunSignal } from "../runs/batches.ts";
import { intentAfter, isFinal, isUncertain, toRetry, unknownCode, unsubscribedCode } from "../runs/codes.ts";
import type { Recipient } from "../subscribers/queries.ts";
import { backoffMs, type Outcome } from "./read-answer.ts";

/** A claimed batch while it is at work: what is in the database, what is in flight, and what is left to do. */
export type BatchWork = {
  batch: Batch;
  /** The truth of this moment; a flush makes it durable. */
  codes: Buffer;
  repeated: number;
  /** Who is still to be tried in this claim. */
  due: Recipient[];
  inFlight: number;
  /** The places in flight that were uncertain before this try: perhaps taken already, whatever this try brings. */
  doubtful: Set<number>;
  /** Called after each answer. */
  onAnswer: () => void;
  /** Whom the push service no longer knows: removed after the next flush. */
  gone: { id: number; endpoint: string }[];
  /** How long the batch has to rest before its retries; 0 where none is wanted. */
  restMs: number;
  /** How long the push service asks to be left alone; 0 where it does not. */
  laneHoldMs: number;
  /** Why the last message came back, for the log. */
  lastFault: string | undefined;
  signal: RunSignal;
  /** Monotonic ms: until when the claim is surely ours, and when the time to live ends. */
  leaseEndsMs: number;
  expiresMs: number;
};

/**
 * The work of a batch claimed at `claimedMs` (monotonic, from before the claim was sent) with the recipients that still
 * exist. Who has left is `gone`; what a dead owner left uncertain is due again, or `unknown` where the site says so.
 */
export function openWork(batch: Batch, recipients: Recipient[], claimedMs: number, leaseMs: number): BatchWork {
  const codes = Buffer.from(batch.codes);
  const byPosition = new Array<Recipient | undefined>(codes.length).fill(undefined);
  for (const recipient of recipients) byPosition[recipient.position] = recipient;
  const due: Recipient[] = [];
  codes.forEach((code, position) => {
    const recipient = byPosition[position];
    if (isFinal(code)) return;
    if (isUncertain(code) && batch.onUncertain === "skip") codes[position] = unknownCode;
    else if (recipient === undefined) codes[position] = isUncertain(code) ? unknownCode : unsubscribedCode;
    else due.push(recipient);
  });
  return {
    batch,
    codes,
    repeated: batch.repeated,
    due,
    inFlight: 0,
    doubtful: new Set(),
    onAnswer: () => {},
    gone: [],
    restMs: 0,
    laneHoldMs: 0,
    lastFault: undefined,
    signal: "go",
    leaseEndsMs: claimedMs + leaseMs,
    expiresMs: claimedMs + batch.remainingMs,
  };
}

/** Takes the next recipients and notes the intent of each in the codes; `undo` gives back those that were not posted. */
export function takeNext(work: BatchWork, count: number): { next: Recipient[]; undo: (unposted: Recipient[]) => void } {
  const next = work.due.splice(0, count);
  const before = new Map(next.map(({ position }) => [position, work.codes[position]!]));
  for (const [position, code] of before) {
    if (isUncertain(code)) {
      work.repeated++;
      work.doubtful.add(position);
    }
    work.codes[position] = intentAfter(code);
  }
  return {
    next,
    undo(unposted) {
      for (const { position } of unposted) {
        const code = before.get(position)!;
        if (work.doubtful.delete(position)) work.repeated--;
        work.codes[position] = code;
      }
      work.due.unshift(...unposted);
    },
  };
}

/** Writes what an answer means into the codes. */
export function settle(work: BatchWork, recipient: Recipient, outcome: Outcome): void {
  const { position } = recipient;
  const intent = work.codes[position]!;
  if (outcome.kind === "final") {
    work.doubtful.delete(position);
    work.codes[position] = outcome.code;
    if (outcome.code === 0x30 || outcome.code === 0x31)
      work.gone.push({ id: recipient.id, endpoint: recipient.endpoint });
    return;
  }
  const isSkipped = outcome.kind === "uncertain" && work.batch.onUncertain === "skip";
  if (isSkipped) work.codes[position] = unknownCode;
  // An uncertain one keeps its intent: that is what it is, and its next try counts as repeated.
  if (outcome.kind === "retry") noteUntaken(work, position);
  else work.doubtful.delete(position);
  if (isSkipped) return;
  const askedMs = outcome.kind === "retry" ? outcome.afterMs : null;
  work.restMs = Math.max(work.restMs, askedMs ?? backoffMs(intent, Math.random()));
  if (outcome.kind === "retry" && outcome.holdsLane) work.laneHoldMs = Math.max(work.laneHoldMs, askedMs ?? 0);
}

/** A message that the transport was not allowed to write any more: it goes back as it was not posted. */
export function giveBack(work: BatchWork, recipient: Recipient): void {
  noteUntaken(work, recipient.position);
  work.due.push(recipient);
}

/** This try was surely not taken. One that was uncertain before stays so, and this try was no repeat of it. */
function noteUntaken(work: BatchWork, position: number): void {
  if (work.doubtful.delete(position)) work.repeated--;
  else work.codes[position] = toRetry(work.codes[position]!);
}
