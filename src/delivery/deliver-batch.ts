import { setImmediate as turn } from "node:timers/promises";
import { type Batch, leaseSeconds } from "../runs/batches.ts";
import { tagOf } from "../runs/payload.ts";
import type { Recipient } from "../subscribers/queries.ts";
import { noteLeft, openWork, takeNext } from "./batch-work.ts";
import type { Courier, Delivery } from "./courier.ts";
import { finish } from "./finish-batch.ts";
import { flush, flushNext, heartbeatMs, leaseMarginMs } from "./flush-work.ts";
import type { HeldIntents } from "./intents.ts";
import { createMessageWriter } from "./messages.ts";
import { post, writeMessages } from "./post-message.ts";

/** Messages encrypted in one turn of the event loop: few enough that timers and answers are not kept waiting (2 to 5 ms). */
const encryptAtOnce = 32;

/**
 * Delivers a claimed batch: commits the intents of a sub-batch, posts it to those who are still subscribers, reads the
 * answers as values, and so on until each recipient has an outcome, or has to wait, or the run is stopped or paused, or
 * the claim is lost. `claimedMs`: monotonic, from before the claim was sent.
 */
export async function deliverBatch(courier: Courier, batch: Batch, claimedMs: number): Promise<void> {
  courier.watch.open(batch, claimedMs);
  const intents = courier.intents.enter(batch.lane, batch.runId);
  try {
    const delivery = await openDelivery(courier, batch, intents, claimedMs);
    await postAll(delivery);
    await landed(delivery, () => delivery.work.inFlight === 0);
    await finish(delivery);
  } finally {
    courier.watch.close(batch);
    intents.leave();
    courier.changes.note();
  }
}

async function openDelivery(
  courier: Courier,
  batch: Batch,
  intents: HeldIntents,
  claimedMs: number,
): Promise<Delivery> {
  const lane = courier.pacing.of(batch.siteId, batch.lane);
  if (batch.heldReason !== null) lane.putOnProbation();
  return {
    courier,
    intents,
    work: openWork(batch, claimedMs, leaseSeconds * 1_000 - leaseMarginMs),
    lane,
    write: createMessageWriter(courier.encryptor, courier.tokenKey, batch),
    signer: await courier.signerOf(batch.siteId, batch.vapidPublicKey),
    // 32 characters: a message that is still stored for the reader is replaced, not joined.
    topic: tagOf(batch.runId, batch.message).replaceAll("-", ""),
  };
}

async function postAll(delivery: Delivery): Promise<void> {
  const { courier, work } = delivery;
  while (work.due.length > 0 && (await mayPost(delivery))) {
    const count = roomFor(delivery);
    if (count === 0) {
      await landed(delivery, () => roomFor(delivery) > 0 || isHalted(delivery) || isInTheWay(delivery));
      if (isInTheWay(delivery) && !(await flush(delivery, { state: "open" }))) return;
      continue;
    }
    const { next, undo } = takeNext(work, count);
    const recipients = await flushNext(delivery, next);
    if (recipients === undefined) return;
    const present = new Set(recipients.map(({ position }) => position));
    for (const position of next) if (!present.has(position)) noteLeft(work, position);
    const posted = await postSubBatch(delivery, recipients);
    undo(recipients.slice(posted).map(({ position }) => position));
    courier.changes.note();
  }
}

/**
 * Posts what may be posted; returns how many were. The rest was neither encrypted nor written. Between two groups the
 * event loop turns: what was written leaves, so that the push service works while we encrypt, and a stop is heard.
 */
async function postSubBatch(delivery: Delivery, next: Recipient[]): Promise<number> {
  for (let from = 0; from < next.length; from += encryptAtOnce) {
    if (from > 0) await turn();
    if (!(await mayPost(delivery))) return from;
    const group = next.slice(from, from + encryptAtOnce);
    for (const message of writeMessages(delivery, group)) post(delivery, message);
  }
  return next.length;
}

/**
 * How many intents to write now: as many as a flush takes, as the push service's window and the intents that we may hold
 * leave room for. 0 where that is so few that it is better to wait for more.
 */
function roomFor({ courier, work, lane, intents }: Delivery): number {
  if (lane.isOnProbation()) return work.inFlight === 0 ? 1 : 0;
  const landedIntents = intents.count - work.inFlight;
  const wanted = Math.min(courier.subBatch, work.due.length, Math.max(1, Math.floor(intents.share() / 2)));
  const room = Math.min(wanted, lane.pace.room(), intents.room() + landedIntents);
  return room >= Math.max(1, Math.min(wanted, Math.ceil(lane.pace.window() / 2))) ? room : 0;
}

/** All that was posted has landed, and yet there is no room: what it holds is what others wait for. */
function isInTheWay(delivery: Delivery): boolean {
  const { work, intents } = delivery;
  return intents.count > 0 && work.inFlight === 0 && roomFor(delivery) === 0;
}

/** Nothing more may be posted in this claim: the run halts, the push service rests, we are to end, or the time to live has. */
function isHalted({ courier, work, lane }: Delivery): boolean {
  if (work.signal !== "go" || courier.isDraining() || performance.now() >= work.expiresMs) return true;
  return lane.restMs() > 0 || lane.pace.restMs() > 0;
}

/**
 * Whether another POST may start: the claim is ours by our own clock, nobody stopped or paused the run, and nothing
 * halts it. Waits while the last word on the run is too old.
 */
async function mayPost(delivery: Delivery): Promise<boolean> {
  const { courier, work } = delivery;
  while (work.signal === "go") {
    if (isHalted(delivery)) return false;
    if (performance.now() >= work.leaseEndsMs) {
      work.signal = "fenced";
      return false;
    }
    const signal = courier.watch.signalOf(work.batch);
    if (signal === "go") return true;
    if (signal === "stale") await courier.watch.nextAnswer();
    else work.signal = signal;
  }
  return false;
}

/** Waits until `isTrue` holds, renewing the lease meanwhile; no longer than the claim is ours. */
async function landed(delivery: Delivery, isTrue: () => boolean): Promise<void> {
  while (!(await delivery.courier.changes.until(isTrue, heartbeatMs))) await flush(delivery, { state: "open" });
}
