import { isDatabaseAway } from "../../db/pool.ts";
import { type Batch, type ClaimBut, claimBatch } from "../../runs/batches.ts";
import { failBatch } from "../../runs/close-run.ts";
import { batchSize } from "../../runs/plan-run.ts";
import type { DeliveryContext } from "./context.ts";
import { deliverBatch } from "./deliver-batch.ts";

/**
 * Batches at a time: one of a lane is claimed while the others are in flight. So many more where more messages may be in
 * flight than two batches have. A run that has none of a lane here gets its first beyond that, so that a small one need
 * not wait for a large one's; a slow lane holds no more than half of all.
 */
const batchesPerLane = 2;
const batchesAtOnce = 8;
const batchesPerLaneAtMost = batchesAtOnce / 2;
const idleMs = 250;
/** A batch that went wrong so often for a fault of ours would do so until its time to live ends. */
const faultsAtMost = 5;

/** Hands out the work of a delivery thread. */
export type ClaimLoop = {
  /** Claims batches and has them delivered until the context drains; resolves when the last is given back. */
  run(): Promise<void>;
  /** There may be work, or a drain to begin. */
  wake(): void;
};

/** The claimLoop of a thread: claims one batch after another, as long as there are lanes with room for it. */
export function createClaimLoop(context: DeliveryContext): ClaimLoop {
  const atWork = new Map<Batch, Promise<void>>();
  const faults = new Map<string, number>();
  let isAwake = false;

  function wake(): void {
    isAwake = true;
    context.progress.notify();
  }

  async function claimNext(): Promise<boolean> {
    try {
      const claimedMs = performance.now();
      const batch = await claimBatch(context.db, context.owner, unwanted(context, [...atWork.keys()]));
      if (batch === undefined) return false;
      atWork.set(
        batch,
        deliver(batch, claimedMs).finally(() => leave(batch)),
      );
      return true;
    } catch (error) {
      context.log.error({ err: error }, "no batch could be claimed");
      return false;
    }
  }

  function leave(batch: Batch): void {
    atWork.delete(batch);
    wake();
  }

  /** A fault is logged, and the batch goes on when its lease has run out. */
  async function deliver(batch: Batch, claimedMs: number): Promise<void> {
    const { runId, no } = batch;
    const name = `${runId} ${no}`;
    try {
      await deliverBatch(context, batch, claimedMs);
      faults.delete(name);
    } catch (error) {
      context.log.error({ err: error, runId, no }, "a batch could not be delivered and will be claimed again");
      if (isDatabaseAway(error)) return;
      faults.set(name, (faults.get(name) ?? 0) + 1);
      if (faults.get(name)! >= faultsAtMost) await giveUp(batch, name);
    }
  }

  async function giveUp(batch: Batch, name: string): Promise<void> {
    const { runId, no } = batch;
    try {
      await failBatch(context.db, batch);
      faults.delete(name);
      context.log.error({ runId, no }, `a batch went wrong ${faultsAtMost} times: who had no outcome has failed`);
    } catch (error) {
      context.log.error({ err: error, runId, no }, "a batch that goes wrong could not be ended");
    }
  }

  return {
    wake,
    async run() {
      while (!context.isDraining()) {
        isAwake = false;
        if (await claimNext()) continue;
        await context.progress.waitUntil(() => isAwake, idleMs);
      }
      await Promise.all(atWork.values());
    },
  };
}

/** What the thread has enough of already, with `held` at work. */
function unwanted({ budget, siteLanes }: DeliveryContext, held: Batch[]): ClaimBut {
  const further = Math.floor(budget.total / batchSize);
  if (held.length >= batchesAtOnce + further) return "tests only";
  const resting = siteLanes.restingLanes().map((lane) => ({ lane }));
  const busy = [...Map.groupBy(held, ({ lane }) => lane)].flatMap(([lane, batches]) => {
    if (batches.length < batchesPerLane + further) return [];
    return batches.length < batchesPerLaneAtMost + further ? batches.map(({ runId }) => ({ lane, runId })) : [{ lane }];
  });
  return [...resting, ...busy];
}
