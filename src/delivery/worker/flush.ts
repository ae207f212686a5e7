import { setTimeout as delay } from "node:timers/promises";
import type { Executor } from "../../db/pool.ts";
import { leaseSeconds } from "../../runs/ledger/claim-batch.ts";
import {
  type BatchEnd,
  type BatchWrite,
  type Flushed,
  flushBatch,
  flushIntents,
} from "../../runs/ledger/flush-batch.ts";
import { deleteGoneSubscribers } from "../../subscribers/gone-queries.ts";
import type { Recipient } from "../../subscribers/queries.ts";
import { countRefusals, recordAccepted } from "../../subscribers/refused-queries.ts";
import { traced } from "../../tracing.ts";
import { apply, type BatchState, numberFlush, type SubscriberNews } from "./batch-state.ts";
import type { Delivery } from "./context.ts";

/** How long before the end of its lease, by the database's clock, a claim is given up. */
const leaseMarginMs = 1_000;
/** How long, in ms, a claim surely holds after it was sent. Each flush that succeeds starts this time again. */
export const safeLeaseMs = leaseSeconds * 1_000 - leaseMarginMs;
/** The longest time until a flush renews the lease. */
export const heartbeatMs = 5_000;
const retryEveryMs = 200;

/**
 * Returns when the last successful flush of the batch was sent, in monotonic ms. Without a flush, returns when its
 * claim was sent.
 */
export function flushedMsOf(state: BatchState): number {
  return state.leaseEndsMs - safeLeaseMs;
}

/** Makes the codes durable and leaves the batch as `end` says. Returns false if the claim is lost. */
export async function flush(delivery: Delivery, end: BatchEnd): Promise<boolean> {
  const { context, state } = delivery;
  const flushed = await flushWhileOurs(delivery, end, (on, write) => flushBatch(on, state.batch, context.owner, write));
  return flushed !== undefined;
}

/**
 * Makes the intents at the reserved positions `next` durable with all other codes. Returns the recipients among them
 * who are still subscribers; undefined if the claim is lost.
 */
export async function flushNext(delivery: Delivery, next: number[]): Promise<Recipient[] | undefined> {
  const { context, state } = delivery;
  const positions = new Map(next.map((position) => [state.batch.subscriberIds[position]!, position]));
  const flushed = await flushWhileOurs(delivery, { state: "open" }, (on, write) =>
    flushIntents(on, state.batch, context.owner, write, [...positions.keys()]),
  );
  return flushed?.found.map((subscriber) => ({ ...subscriber, position: positions.get(subscriber.id)! }));
}

/**
 * Flushes. Tries again while the database is away and the claim is surely ours. After that, the batch may have
 * another owner. Returns undefined if the claim is lost.
 */
async function flushWhileOurs<Result extends Flushed>(
  delivery: Delivery,
  end: BatchEnd,
  statement: (on: Executor, write: BatchWrite) => Promise<Result>,
): Promise<Result | undefined> {
  const { context, state, reservation } = delivery;
  // Messages that were uncertain in the last flush stay uncertain in the ledger until this flush has returned.
  reservation.hold(Math.max(reservation.count, state.uncertain.size));
  while (state.signal !== "fenced") {
    const sentMs = performance.now();
    try {
      const news = newsToWrite(delivery, end);
      const uncertain = state.uncertain.size;
      const codes = Buffer.from(state.codes);
      const write = { flushNo: numberFlush(state), codes, repeated: state.repeated, end };
      const flushed = await traced("flush", { "pressbell.intents": uncertain }, () =>
        writeWithNews(delivery, news, (on) => statement(on, write)),
      );
      const { signal } = flushed;
      context.watch.record(state.batch, signal, sentMs);
      apply(state, { kind: "flushed", signal, leaseEndsMs: sentMs + safeLeaseMs, deleted: news.gone.length });
      if (signal === "fenced") return undefined;
      reservation.resize(flushed);
      reservation.hold(uncertain);
      context.progress.notify();
      return flushed;
    } catch (error) {
      const { runId, no } = state.batch;
      context.log.warn({ err: error, runId, no }, "a flush failed and is tried again");
      if (performance.now() + retryEveryMs >= state.leaseEndsMs) apply(state, { kind: "signal", signal: "fenced" });
      else await delay(retryEveryMs);
    }
  }
  return undefined;
}

/**
 * Returns the news about subscribers that this flush writes. Every flush deletes subscribers who are gone. Refusals
 * are counted at the end of the batch, and only if the push service is known to accept the key. Otherwise they may
 * concern the key, not the subscriber.
 */
function newsToWrite({ state: { news }, pushService }: Delivery, end: BatchEnd): SubscriberNews {
  const isEnd = end.state !== "open";
  return {
    gone: [...news.gone],
    refused: isEnd && pushService.key.isTrusted() ? news.refused : [],
    accepted: isEnd ? news.accepted : [],
  };
}

/**
 * Runs the statement in one transaction with the news about subscribers. If the process died between the two, the
 * news would be lost, because nothing derives it from final codes again.
 */
async function writeWithNews<Result extends Flushed>(
  { context, state }: Delivery,
  { gone, refused, accepted }: SubscriberNews,
  statement: (on: Executor) => Promise<Result>,
): Promise<Result> {
  if (gone.length + refused.length + accepted.length === 0) return statement(context.db);
  const { siteId } = state.batch;
  return context.db.transaction().execute(async (tx) => {
    const written = await statement(tx);
    // The earlier try that ended the batch also wrote its news, and a refusal must not count twice.
    if (written.signal === "fenced" || written.isRepeated) return written;
    if (refused.length > 0) await countRefusals(tx, siteId, refused);
    if (accepted.length > 0) await recordAccepted(tx, siteId, accepted);
    // The deletion comes last, because it writes a row that others may wait for.
    if (gone.length > 0) await deleteGoneSubscribers(tx, siteId, gone);
    return written;
  });
}
