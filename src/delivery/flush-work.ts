import { type BatchEnd, flushBatch, leaseSeconds } from "../runs/batches.ts";
import { type Recipient, recipientsAt } from "../subscribers/queries.ts";
import type { Delivery } from "./courier.ts";

/** The claim is given up this long before its lease ends by the database's clock. */
export const leaseMarginMs = 1_000;
/** A flush renews the lease at the latest after this. */
export const heartbeatMs = 5_000;
const flushAgainMs = 200;

/** Makes the codes durable, leaves the batch as `end` says, and brings back the run's signal. False: the claim is lost. */
export async function flush(delivery: Delivery, end: BatchEnd): Promise<boolean> {
  return (await flushAndRead(delivery, end, 0, async () => true)) ?? false;
}

/**
 * Makes the intents at the positions `next`, which nothing was posted for yet, durable with all other codes. Returns who
 * of them is still a subscriber; undefined: the claim is lost. Both at once: the commit takes longer than the reading.
 */
export function flushIntents(delivery: Delivery, next: number[]): Promise<Recipient[] | undefined> {
  const { courier, work } = delivery;
  return flushAndRead(delivery, { state: "open" }, next.length, () => recipientsAt(courier.db, work.batch, next));
}

/**
 * While the database is away it tries again for as long as the claim is surely ours: what comes back later is another's.
 * Returns what `read` does; undefined: the claim is lost.
 */
async function flushAndRead<T>(
  delivery: Delivery,
  end: BatchEnd,
  newIntents: number,
  read: () => Promise<T>,
): Promise<T | undefined> {
  const { courier, work } = delivery;
  const uncertain = work.inFlight + newIntents;
  takeIntents(delivery, uncertain);
  while (work.signal !== "fenced") {
    const sentMs = performance.now();
    try {
      const write = { codes: Buffer.from(work.codes), repeated: work.repeated, end };
      const [signal, found] = await Promise.all([flushBatch(courier.db, work.batch, courier.owner, write), read()]);
      courier.watch.note(work.batch, signal, sentMs);
      if (signal !== "go") work.signal = signal;
      if (signal === "fenced") break;
      work.leaseEndsMs = sentMs + leaseSeconds * 1_000 - leaseMarginMs;
      giveIntents(delivery, uncertain);
      return found;
    } catch (error) {
      courier.log.warn({ err: error, runId: work.batch.runId, no: work.batch.no }, "a flush failed and is tried again");
      if (performance.now() + flushAgainMs >= work.leaseEndsMs) work.signal = "fenced";
      else await new Promise((resolve) => setTimeout(resolve, flushAgainMs));
    }
  }
  return undefined;
}

function takeIntents({ courier, work }: Delivery, uncertain: number): void {
  if (uncertain <= work.heldIntents) return;
  courier.intents.take(work.batch.lane, uncertain - work.heldIntents);
  work.heldIntents = uncertain;
}

/** Gives back all intents but `uncertain`: the outcomes of the others are in the ledger. */
export function giveIntents({ courier, work }: Delivery, uncertain: number): void {
  courier.intents.give(work.batch.lane, work.heldIntents - uncertain);
  work.heldIntents = uncertain;
  courier.changes.note();
}
