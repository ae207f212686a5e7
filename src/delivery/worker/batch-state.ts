import type { Batch, RunSignal } from "../../runs/batches.ts";
import {
  acceptedCode,
  type FinalCode,
  intentAfter,
  isFinal,
  isUncertain,
  pending,
  toRetry,
  triesOf,
  unknownCode,
  unsubscribedCode,
} from "../../runs/codes.ts";
import type { Recipient } from "../../subscribers/queries.ts";
import { backoffMs, type Outcome } from "../answers/read-answer.ts";
import type { Refusal } from "../pace/site-lanes.ts";

/** A claimed batch while it is at work: what is in the database, what is in flight, and what is left to do. */
export type BatchWork = {
  batch: Batch;
  /** The truth of this moment; a flush makes it durable. */
  codes: Buffer;
  repeated: number;
  /** Whose turn is still to come in this claim, by position. */
  due: number[];
  inFlight: number;
  /** The places in flight that were uncertain before this try: perhaps taken already, whatever this try brings. */
  doubtful: Set<number>;
  /** Whom the push service no longer knows: removed with the next flush. */
  gone: { id: number; endpoint: string }[];
  /** Whom it refuses, and who was refused before and was taken now: counted with the last flush. */
  refused: number[];
  forgiven: number[];
  /** How long the batch has to rest before its retries; 0 where none is wanted. */
  restMs: number;
  /** How long the push service is to be left alone by this site, and whether that is for our key. */
  laneHold: { ms: number; refusal: Refusal | null } | undefined;
  /** Why the last message came back, for the log. */
  lastFault: string | undefined;
  signal: RunSignal;
  /** Monotonic ms: until when the claim is surely ours, and when the time to live ends. */
  leaseEndsMs: number;
  expiresMs: number;
};

/**
 * The work of a batch claimed at `claimedMs` (monotonic, from before the claim was sent): who was not tried yet. Only a
 * claim that finds nobody of those tries the others again, so that no reader is sent to again and again, by probes and
 * by every machine in turn, while others wait for their first try. What a dead owner left uncertain is tried again too,
 * or `unknown` where the site says so.
 */
export function openWork(batch: Batch, claimedMs: number, leaseMs: number): BatchWork {
  const codes = Buffer.from(batch.codes);
  const untried: number[] = [];
  const tried: number[] = [];
  codes.forEach((code, position) => {
    if (isFinal(code)) return;
    if (isUncertain(code) && batch.onUncertain === "skip") codes[position] = unknownCode;
    else (code === pending ? untried : tried).push(position);
  });
  const isFirstTry = untried.length > 0;
  const tries = tried.map((position) => triesOf(codes[position]!));
  return {
    batch,
    codes,
    repeated: batch.repeated,
    due: isFirstTry ? untried : tried,
    inFlight: 0,
    doubtful: new Set(),
    gone: [],
    refused: [],
    forgiven: [],
    restMs: isFirstTry && tried.length > 0 ? backoffMs(Math.max(...tries), Math.random()) : 0,
    laneHold: undefined,
    lastFault: undefined,
    signal: "go",
    leaseEndsMs: claimedMs + leaseMs,
    expiresMs: claimedMs + batch.remainingMs,
  };
}

/** Takes the next positions and notes the intent of each in the codes; `undo` gives back those that were not posted. */
export function takeNext(work: BatchWork, count: number): { next: number[]; undo: (unposted: number[]) => void } {
  const next = work.due.splice(0, count);
  const before = new Map(next.map((position) => [position, work.codes[position]!]));
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
      for (const position of unposted) {
        const code = before.get(position)!;
        if (work.doubtful.delete(position)) work.repeated--;
        work.codes[position] = code;
      }
      work.due.unshift(...unposted);
    },
  };
}

/** Who has left since the audience was fixed is not posted. Whether an earlier try reached him, nobody can know. */
export function markUnsubscribed(work: BatchWork, position: number): void {
  const wasUncertain = work.doubtful.delete(position);
  if (wasUncertain) work.repeated--;
  work.codes[position] = wasUncertain ? unknownCode : unsubscribedCode;
}

/** Writes what an answer means into the codes. */
export function settle(work: BatchWork, recipient: Recipient, outcome: Outcome): void {
  const { position } = recipient;
  if (outcome.kind === "final") {
    work.doubtful.delete(position);
    work.codes[position] = outcome.code;
    noteFinal(work, recipient, outcome.code);
    return;
  }
  const intent = work.codes[position]!;
  if (outcome.kind === "retry") {
    noteUntaken(work, position);
    if (outcome.restMs !== undefined) holdLane(work, outcome.restMs, null);
  } else {
    // An uncertain one keeps its intent: that is what it is, and its next try counts as repeated.
    work.doubtful.delete(position);
    if (work.batch.onUncertain === "skip") {
      work.codes[position] = unknownCode;
      return;
    }
  }
  const askedMs = outcome.kind === "retry" ? outcome.afterMs : null;
  work.restMs = Math.max(work.restMs, askedMs ?? backoffMs(intent, Math.random()));
}

const goneCodes: FinalCode[] = [0x30, 0x31];
const refusedCodes: FinalCode[] = [0x43, 0x44];

function noteFinal(work: BatchWork, { id, endpoint, refusedRuns }: Recipient, code: FinalCode): void {
  if (goneCodes.includes(code)) work.gone.push({ id, endpoint });
  if (refusedCodes.includes(code)) work.refused.push(id);
  if (code === acceptedCode && refusedRuns > 0) work.forgiven.push(id);
}

/** Notes that the push service is to be left alone for so long; the longest of several counts. */
export function holdLane(work: BatchWork, ms: number, refusal: Refusal | null): void {
  work.laneHold = {
    ms: Math.max(work.laneHold?.ms ?? 0, ms),
    refusal: refusal ?? work.laneHold?.refusal ?? null,
  };
}

/** A message that the transport was not allowed to write any more: it goes back as it was not posted. */
export function giveBack(work: BatchWork, recipient: Recipient): void {
  noteUntaken(work, recipient.position);
  work.due.push(recipient.position);
}

/** This try was surely not taken. One that was uncertain before stays so, and this try was no repeat of it. */
function noteUntaken(work: BatchWork, position: number): void {
  if (work.doubtful.delete(position)) work.repeated--;
  else work.codes[position] = toRetry(work.codes[position]!);
}
