import { setImmediate as turn } from "node:timers/promises";
import type { Batch } from "../../runs/ledger/claim-batch.ts";
import { countCodes, finalCode } from "../../runs/ledger/codes.ts";
import { readOtherRows } from "../../runs/merged-readers.ts";
import type { Recipient } from "../../subscribers/queries.ts";
import { acceptedAmong } from "../../subscribers/refused-queries.ts";
import { tracedOfRun } from "../../tracing.ts";
import { apply, type BatchState, openBatchState, reserve } from "./batch-state.ts";
import type { Delivery, DeliveryContext } from "./context.ts";
import { finishBatch } from "./finish-batch.ts";
import { flush, flushedMsOf, flushNext, heartbeatMs, safeLeaseMs } from "./flush.ts";
import { createMessageWriter, type Message } from "./messages.ts";
import { failed, faulted, postMessage, type TryEnded } from "./post-message.ts";

/** Messages encrypted in one turn of the event loop. This takes 2 to 5 ms, so that timers and answers hardly wait. */
const encryptAtOnce = 32;
/**
 * The most intents in one flush if a push service limits the site. It is small, because messages in flight when the
 * limit is reached are refused.
 */
const rateLimitedSubBatch = 50;
/**
 * The time, in ms, within which an outcome becomes durable after its answer. A process that is killed repeats the
 * messages that it posted after its last flush. If answers take less than a quarter of a second, these are the
 * messages of the last half second.
 */
const outcomesWithinMs = 200;

/** Delivers a claimed batch, as `deliverClaimed` does, in a span of its run's trace. */
export function deliverBatch(context: DeliveryContext, batch: Batch, claimedMs: number): Promise<void> {
  const attributes = {
    "pressbell.push_service": batch.pushService,
    "pressbell.batch": batch.no,
    "pressbell.attempt": batch.attempt,
  };
  return tracedOfRun("deliver a batch", batch.runId, attributes, async (span) => {
    span.addEvent("claimed", claimedMs);
    const state = await deliverClaimed(context, batch, claimedMs);
    const { accepted, gone, failed, expired, notSent, unknown, pending } = countCodes(state.codes);
    const counts = { accepted, gone, failed, expired, notSent, unknown, pending, repeated: state.repeated };
    for (const [outcome, n] of Object.entries(counts)) if (n > 0) span.setAttribute(`pressbell.${outcome}`, n);
  });
}

/**
 * Delivers a claimed batch. For each sub-batch it reserves recipients, commits their intents, posts to recipients who
 * are still subscribers, and applies the answers. It ends when each recipient has an outcome or has to wait, the run
 * is stopped or paused, or the claim is lost. `claimedMs`: monotonic, taken before the claim was sent. Returns the
 * final state of the batch.
 */
async function deliverClaimed(context: DeliveryContext, batch: Batch, claimedMs: number): Promise<BatchState> {
  context.watch.open(batch, claimedMs);
  const reservation = context.budget.enter(batch.pushService, batch);
  try {
    const pushService = context.sitePushServices.of(batch.siteId, batch.pushService, batch.vapidPublicKey);
    if (batch.blockedReason !== null) pushService.key.putOnProbation();
    else if (batch.keyAccepted) pushService.key.trust();
    const delivery: Delivery = {
      context,
      reservation,
      state: openBatchState(batch, claimedMs, safeLeaseMs, pushService.waits.untilOf),
      pushService,
      write: createMessageWriter(context.encryptor, context.tokenKey, batch),
      signer: await context.signerOf(batch.siteId, batch.vapidPublicKey),
      // The topic has at most 32 characters (RFC 8030 section 5.4). If the service still stores an earlier message with
      // the same topic, the new message replaces it.
      topic: batch.thread.threadId.replaceAll("-", ""),
    };
    await postAll(delivery);
    await waitUntil(delivery, () => delivery.state.uncertain.size === 0);
    await finishBatch(delivery);
    if (delivery.state.signal === "fenced") context.counters.leaseLost();
    return delivery.state;
  } finally {
    context.watch.close(batch);
    reservation.leave();
    context.progress.notify();
  }
}

async function postAll(delivery: Delivery): Promise<void> {
  const { context, state, pushService } = delivery;
  let isProbed = false;
  while (state.due.length > 0 && (await mayPost(delivery))) {
    const isProbe = pushService.key.isOnProbation();
    if (isProbe && isProbed) {
      await waitUntil(delivery, () => state.uncertain.size === 0);
      // The next probe belongs to another batch.
      if (pushService.key.isOnProbation()) return;
      continue;
    }
    const count = roomFor(delivery);
    if (count === 0) {
      await waitUntil(delivery, () => roomFor(delivery) > 0 || isHalted(delivery) || isInTheWay(delivery));
      if (isInTheWay(delivery) && !(await flush(delivery, { state: "open" }))) return;
      continue;
    }
    if (isProbe) await chooseProbe(delivery);
    isProbed = isProbe;
    const next = reserve(state, count);
    const present = await flushNext(delivery, next);
    if (present === undefined) return apply(state, { kind: "notPosted", positions: next });
    const recipients = await withoutOthers(delivery, next, present);
    const posted = await postSubBatch(delivery, recipients, isProbe);
    apply(state, { kind: "notPosted", positions: recipients.slice(posted).map(({ position }) => position) });
    context.progress.notify();
  }
}

/**
 * Settles the reserved positions `next` that are not posted. These are readers who have left, and browsers that have
 * the message by another row. Returns the other recipients in `present`.
 */
async function withoutOthers(delivery: Delivery, next: number[], present: Recipient[]): Promise<Recipient[]> {
  const { context, state } = delivery;
  const others = await readOtherRows(context.db, state.batch, present);
  const there = new Set(present.map(({ position }) => position));
  for (const position of next) if (!there.has(position)) apply(state, { kind: "unsubscribed", position });
  for (const recipient of present) {
    const other = others.get(recipient.id);
    if (other === "has") apply(state, { kind: "alreadySent", position: recipient.position });
    if (other === "undecided")
      apply(state, { kind: "outcome", recipient, outcome: { kind: "retry", effect: "neither", afterMs: null } });
  }
  return present.filter(({ id }) => !others.has(id));
}

/** Moves readers who have accepted a message before to the front, if there are any. */
async function chooseProbe({ context, state }: Delivery): Promise<void> {
  const { siteId, subscriberIds } = state.batch;
  const accepted = await acceptedAmong(
    context.db,
    siteId,
    state.due.map((position) => subscriberIds[position]!),
  );
  apply(state, {
    kind: "probed",
    first: new Set(state.due.filter((position) => accepted.has(subscriberIds[position]!))),
  });
}

/**
 * Posts as many of `recipients` as may be posted, in order. Returns how many. The rest was neither encrypted nor
 * written. Posting also stops if probes begin meanwhile, because each further message would count as a probe. The
 * event loop turns between two groups. In this turn, written messages leave, so that the push service works while
 * this thread encrypts. A stop can also arrive.
 */
async function postSubBatch(delivery: Delivery, recipients: Recipient[], isProbe: boolean): Promise<number> {
  const settle = (ended: TryEnded) => {
    apply(delivery.state, ended);
    delivery.context.progress.notify();
  };
  for (let from = 0; from < recipients.length; from += encryptAtOnce) {
    if (from > 0) await turn();
    if (isFlushDue(delivery)) await flush(delivery, { state: "open" });
    if (!(await mayPost(delivery)) || (delivery.pushService.key.isOnProbation() && !isProbe)) return from;
    const group = recipients.slice(from, from + encryptAtOnce);
    const messages = writeMessages(delivery, group);
    if (messages === undefined) for (const recipient of group) settle(failed(recipient, finalCode.internal));
    for (const message of messages ?? []) {
      const fail = (error: unknown) => settle(faulted(delivery, message.recipient, error));
      void postMessage(delivery, message).then(settle, fail);
    }
  }
  return recipients.length;
}

/** Returns the encrypted messages of a group; undefined if a fault in Pressbell fails the group. */
function writeMessages({ context, state, write }: Delivery, group: Recipient[]): Message[] | undefined {
  try {
    return write(group);
  } catch (error) {
    const { runId, no } = state.batch;
    context.log.error({ err: error, runId, no }, "messages could not be written");
    return undefined;
  }
}

/**
 * Returns how many intents to write now; 0 if waiting is better. It is no more than one flush takes. It is also no
 * more than half of the run's share of its push service: while one half is on the wire, the other is committed and
 * encrypted. The whole share is allowed if it covers all remaining recipients. It waits until half of the congestion
 * window is free, because a flush costs the database the same for one intent as for hundreds.
 */
function roomFor({ context, state, pushService, reservation }: Delivery): number {
  const uncertain = state.uncertain.size;
  if (pushService.key.isOnProbation()) return uncertain === 0 ? 1 : 0;
  // Messages that were answered since the last flush. The next flush gives them back to the budget, and may use them
  // itself.
  const landed = reservation.count - uncertain;
  const share = reservation.share();
  const part = state.due.length <= share ? state.due.length : Math.max(1, Math.floor(share / 2));
  const wanted = Math.min(context.subBatch, part, state.batch.isRateLimited ? rateLimitedSubBatch : part);
  const room = Math.min(wanted, pushService.window.room(), reservation.room() + landed);
  return room >= Math.max(1, Math.min(wanted, Math.ceil(pushService.window.size() / 2))) ? room : 0;
}

/**
 * Returns whether all posted messages were answered and there is still no room. Other batches then wait for the
 * messages that this batch holds.
 */
function isInTheWay(delivery: Delivery): boolean {
  const { state, reservation } = delivery;
  return reservation.count > 0 && state.uncertain.size === 0 && roomFor(delivery) === 0;
}

/**
 * Returns whether this claim posts no more messages: the run halts, the push service rests, the process drains, or
 * the time to live is over.
 */
function isHalted({ context, state, pushService }: Delivery): boolean {
  if (state.signal !== "go" || context.isDraining() || performance.now() >= state.expiresMs) return true;
  return pushService.restMs() > 0 || pushService.window.restMs() > 0;
}

/**
 * Returns whether another POST may start: nothing halts the batch, the claim is ours by our own clock, and the run
 * watch says "go". Waits while the last answer of the watch is too old.
 */
async function mayPost(delivery: Delivery): Promise<boolean> {
  const { context, state } = delivery;
  while (!isHalted(delivery)) {
    if (performance.now() >= state.leaseEndsMs) {
      apply(state, { kind: "signal", signal: "fenced" });
      return false;
    }
    const signal = context.watch.signalOf(state.batch);
    if (signal === "go") return true;
    if (signal === "stale") await context.watch.nextAnswer();
    else apply(state, { kind: "signal", signal });
  }
  return false;
}

/** Waits until `isTrue` holds. Meanwhile it makes outcomes durable in time, and renews the lease. */
async function waitUntil(delivery: Delivery, isTrue: () => boolean): Promise<void> {
  while (!(await delivery.context.progress.waitUntil(isTrue, outcomesWithinMs))) {
    if (isFlushDue(delivery)) await flush(delivery, { state: "open" });
  }
}

/** Returns whether outcomes have waited long enough for the next flush, or the lease must be renewed. */
function isFlushDue({ state, reservation }: Delivery): boolean {
  const sinceMs = performance.now() - flushedMsOf(state);
  return sinceMs >= heartbeatMs || (sinceMs >= outcomesWithinMs && reservation.count > state.uncertain.size);
}
