import type { Executor } from "../../db/pool.ts";
import {
  type BatchEnd,
  type BatchWrite,
  flushBatch,
  flushIntents,
  leaseSeconds,
  type RunSignal,
} from "../../runs/batches.ts";
import { clearRefusals, countRefusals, deleteGoneSubscribers, type Recipient } from "../../subscribers/queries.ts";
import type { Delivery } from "./context.ts";

/** The claim is given up this long before its lease ends by the database's clock. */
export const leaseMarginMs = 1_000;
/** A flush renews the lease at the latest after this. */
export const heartbeatMs = 5_000;
const flushAgainMs = 200;

/** Makes the codes durable, leaves the batch as `end` says, and brings back the run's signal. False: the claim is lost. */
export async function flush(delivery: Delivery, end: BatchEnd): Promise<boolean> {
  const { context, work } = delivery;
  const flushed = await flushWhileOurs(delivery, end, 0, async (on, write) => ({
    signal: await flushBatch(on, work.batch, context.owner, write),
  }));
  return flushed !== undefined;
}

/**
 * Makes the intents at the positions `next`, which nothing was posted for yet, durable with all other codes. Returns who
 * of them is still a subscriber; undefined: the claim is lost.
 */
export async function flushNext(delivery: Delivery, next: number[]): Promise<Recipient[] | undefined> {
  const { context, work } = delivery;
  const positions = new Map(next.map((position) => [work.batch.subscriberIds[position]!, position]));
  const flushed = await flushWhileOurs(delivery, { state: "open" }, next.length, (on, write) =>
    flushIntents(on, work.batch, context.owner, write, [...positions.keys()]),
  );
  return flushed?.found.map((subscriber) => ({ ...subscriber, position: positions.get(subscriber.id)! }));
}

/**
 * While the database is away it tries again for as long as the claim is surely ours: what comes back later is another's.
 * Undefined: the claim is lost.
 */
async function flushWhileOurs<Flushed extends { signal: RunSignal }>(
  delivery: Delivery,
  end: BatchEnd,
  newIntents: number,
  statement: (on: Executor, write: BatchWrite) => Promise<Flushed>,
): Promise<Flushed | undefined> {
  const { context, work } = delivery;
  const uncertain = work.inFlight + newIntents;
  delivery.reservation.hold(Math.max(delivery.reservation.count, uncertain));
  while (work.signal !== "fenced") {
    const sentMs = performance.now();
    try {
      const write = { codes: Buffer.from(work.codes), repeated: work.repeated, end };
      const flushed = await writeWithNews(delivery, end, (on) => statement(on, write));
      context.watch.note(work.batch, flushed.signal, sentMs);
      if (flushed.signal !== "go") work.signal = flushed.signal;
      if (flushed.signal === "fenced") break;
      work.leaseEndsMs = sentMs + leaseSeconds * 1_000 - leaseMarginMs;
      // The outcomes of the others are in the ledger.
      delivery.reservation.hold(uncertain);
      context.progress.notify();
      return flushed;
    } catch (error) {
      context.log.warn({ err: error, runId: work.batch.runId, no: work.batch.no }, "a flush failed and is tried again");
      if (performance.now() + flushAgainMs >= work.leaseEndsMs) work.signal = "fenced";
      else await new Promise((resolve) => setTimeout(resolve, flushAgainMs));
    }
  }
  return undefined;
}

/**
 * Writes the codes and, in one transaction with them, what they say of subscribers: who has left is removed; who was
 * refused is counted at the batch's end, unless it is our key that is refused. If we died between the two, nobody would
 * learn it again from codes that are final.
 */
async function writeWithNews<Flushed extends { signal: RunSignal }>(
  { context, work, lane }: Delivery,
  end: BatchEnd,
  statement: (on: Executor) => Promise<Flushed>,
): Promise<Flushed> {
  const { siteId } = work.batch;
  const isEnd = end.state !== "open";
  const gone = [...work.gone];
  const refused = isEnd && !lane.isKeyInDoubt() ? work.refused : [];
  const forgiven = isEnd ? work.forgiven : [];
  if (gone.length + refused.length + forgiven.length === 0) return statement(context.db);
  const flushed = await context.db.transaction().execute(async (tx) => {
    const written = await statement(tx);
    if (written.signal === "fenced") return written;
    if (gone.length > 0) await deleteGoneSubscribers(tx, siteId, gone);
    if (refused.length > 0) await countRefusals(tx, siteId, refused);
    if (forgiven.length > 0) await clearRefusals(tx, siteId, forgiven);
    return written;
  });
  work.gone.splice(0, gone.length);
  return flushed;
}
