import { setImmediate as turn } from "node:timers/promises";
import { type Batch, leaseSeconds } from "../../runs/batches.ts";
import { tagOf } from "../../runs/payload.ts";
import type { Recipient } from "../../subscribers/queries.ts";
import type { Reservation } from "../pace/in-flight-budget.ts";
import { markUnsubscribed, openWork, takeNext } from "./batch-state.ts";
import type { Delivery, DeliveryContext } from "./context.ts";
import { finish } from "./finish-batch.ts";
import { flush, flushNext, heartbeatMs, leaseMarginMs } from "./flush.ts";
import { createMessageWriter } from "./messages.ts";
import { post, writeMessages } from "./post-message.ts";

/** Messages encrypted in one turn of the event loop: few enough that timers and answers are not kept waiting (2 to 5 ms). */
const encryptAtOnce = 32;

/**
 * Delivers a claimed batch: commits the intents of a sub-batch, posts it to those who are still subscribers, reads the
 * answers as values, and so on until each recipient has an outcome, or has to wait, or the run is stopped or paused, or
 * the claim is lost. `claimedMs`: monotonic, from before the claim was sent.
 */
export async function deliverBatch(context: DeliveryContext, batch: Batch, claimedMs: number): Promise<void> {
  context.watch.open(batch, claimedMs);
  const reservation = context.budget.enter(batch.lane, batch.runId);
  try {
    const delivery = await openDelivery(context, batch, reservation, claimedMs);
    await postAll(delivery);
    await landed(delivery, () => delivery.work.inFlight === 0);
    await finish(delivery);
  } finally {
    context.watch.close(batch);
    reservation.leave();
    context.progress.notify();
  }
}

async function openDelivery(
  context: DeliveryContext,
  batch: Batch,
  reservation: Reservation,
  claimedMs: number,
): Promise<Delivery> {
  const lane = context.siteLanes.of(batch.siteId, batch.lane);
  if (batch.heldReason !== null) lane.putOnProbation();
  return {
    context,
    reservation,
    work: openWork(batch, claimedMs, leaseSeconds * 1_000 - leaseMarginMs),
    lane,
    write: createMessageWriter(context.encryptor, context.tokenKey, batch),
    signer: await context.signerOf(batch.siteId, batch.vapidPublicKey),
    // 32 characters: a message that is still stored for the reader is replaced, not joined.
    topic: tagOf(batch.runId, batch.message).replaceAll("-", ""),
  };
}

async function postAll(delivery: Delivery): Promise<void> {
  const { context, work } = delivery;
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
    for (const position of next) if (!present.has(position)) markUnsubscribed(work, position);
    const posted = await postSubBatch(delivery, recipients);
    undo(recipients.slice(posted).map(({ position }) => position));
    context.progress.notify();
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
function roomFor({ context, work, lane, reservation }: Delivery): number {
  if (lane.isOnProbation()) return work.inFlight === 0 ? 1 : 0;
  const landed = reservation.count - work.inFlight;
  const wanted = Math.min(context.subBatch, work.due.length, Math.max(1, Math.floor(reservation.share() / 2)));
  const room = Math.min(wanted, lane.window.room(), reservation.room() + landed);
  return room >= Math.max(1, Math.min(wanted, Math.ceil(lane.window.size() / 2))) ? room : 0;
}

/** All that was posted has landed, and yet there is no room: what it holds is what others wait for. */
function isInTheWay(delivery: Delivery): boolean {
  const { work, reservation } = delivery;
  return reservation.count > 0 && work.inFlight === 0 && roomFor(delivery) === 0;
}

/** Nothing more may be posted in this claim: the run halts, the push service rests, we are to end, or the time to live has. */
function isHalted({ context, work, lane }: Delivery): boolean {
  if (work.signal !== "go" || context.isDraining() || performance.now() >= work.expiresMs) return true;
  return lane.restMs() > 0 || lane.window.restMs() > 0;
}

/**
 * Whether another POST may start: the claim is ours by our own clock, nobody stopped or paused the run, and nothing
 * halts it. Waits while the last word on the run is too old.
 */
async function mayPost(delivery: Delivery): Promise<boolean> {
  const { context, work } = delivery;
  while (work.signal === "go") {
    if (isHalted(delivery)) return false;
    if (performance.now() >= work.leaseEndsMs) {
      work.signal = "fenced";
      return false;
    }
    const signal = context.watch.signalOf(work.batch);
    if (signal === "go") return true;
    if (signal === "stale") await context.watch.nextAnswer();
    else work.signal = signal;
  }
  return false;
}

/** Waits until `isTrue` holds, renewing the lease meanwhile; no longer than the claim is ours. */
async function landed(delivery: Delivery, isTrue: () => boolean): Promise<void> {
  while (!(await delivery.context.progress.waitUntil(isTrue, heartbeatMs))) await flush(delivery, { state: "open" });
}
