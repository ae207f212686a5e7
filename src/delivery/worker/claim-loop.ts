import { isDatabaseAway } from "../../db/pool.ts";
import { withLogFields } from "../../log.ts";
import { type Batch, type ClaimBut, claimBatch } from "../../runs/ledger/claim-batch.ts";
import { failBatch } from "../../runs/ledger/end-batches.ts";
import { batchSize } from "../../runs/ledger/plan-batches.ts";
import type { DeliveryContext } from "./context.ts";
import { deliverBatch } from "./deliver-batch.ts";

/** The number of push services that most sites have: FCM, Mozilla, Apple, WNS. */
const commonPushServices = 4;
const idleMs = 250;
/**
 * A batch is given up after this many faults in Pressbell, because it would fail in the same way until its time to
 * live ends.
 */
const faultsAtMost = 5;
/**
 * A batch is given up after this many owners in a row died, or lost their claim, before they had an outcome. That
 * takes minutes, because each claim has to lapse first. Pauses, drains, rests and retries do not count, because they
 * release the claim.
 */
const crashesAtMost = 20;
/**
 * After more lost owners than this, the thread claims no other batch for a while. If the batch ends the thread too,
 * no newly claimed batch is lost with it.
 */
const crashesBesideOthers = 2;
const aloneMs = 5_000;

const faulty = `a batch failed ${faultsAtMost} times: its recipients without an outcome have failed`;
const deadly =
  `a batch lost its owner ${crashesAtMost} times before it had an outcome: its recipients without one have failed; ` +
  "find what the threads or processes died of in the lines above or in the service manager's log, and report it";

/** Claims the batches of a delivery thread. */
export type ClaimLoop = {
  /** Claims batches and delivers them until the context drains. Resolves when the last batch is released. */
  run(): Promise<void>;
  /** Ends the pause of an idle loop, because there may be work or a drain may have begun. */
  wake(): void;
};

/** Returns the claim loop of a thread. It claims one batch after another while a push service has room for it. */
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
      if (batch.crashes > crashesBesideOthers) await context.progress.waitUntil(() => !atWork.has(batch), aloneMs);
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

  /** Delivers a batch. A fault is logged, and the batch is claimed again when its lease has run out. */
  async function deliver(batch: Batch, claimedMs: number): Promise<void> {
    const { runId, no } = batch;
    const name = `${runId} ${no}`;
    if (batch.crashes >= crashesAtMost) return giveUp(batch, name, deadly);
    try {
      await withLogFields({ runId, siteId: batch.siteId, no }, () => deliverBatch(context, batch, claimedMs));
      faults.delete(name);
    } catch (error) {
      context.log.error({ err: error, runId, no }, "a batch could not be delivered and will be claimed again");
      if (isDatabaseAway(error)) return;
      faults.set(name, (faults.get(name) ?? 0) + 1);
      if (faults.get(name)! >= faultsAtMost) await giveUp(batch, name, faulty);
    }
  }

  async function giveUp(batch: Batch, name: string, text: string): Promise<void> {
    const { runId, no } = batch;
    try {
      await failBatch(context.db, batch);
      faults.delete(name);
      context.log.error({ runId, no }, text);
    } catch (error) {
      context.log.error({ err: error, runId, no }, "a batch that keeps failing could not be ended");
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

/**
 * Returns what the thread does not claim now. `held`: the batches at work.
 * - For each push service, the thread holds enough batches to fill its in-flight budget. It holds one more, which is
 *   claimed while the others are in flight.
 * - A run that has no batch on the push service gets its first batch beyond that, so that a small run does not wait
 *   for a large one.
 * - One push service holds no more than half of all batches.
 * - For each run, the thread holds enough batches to fill the run's limit in flight, and one more. Other threads can
 *   post the rest.
 */
function unwanted({ budget, sitePushServices }: DeliveryContext, held: Batch[]): ClaimBut {
  const perPushService = 1 + Math.ceil(budget.total / batchSize);
  const inAll = commonPushServices * perPushService;
  if (held.length >= inAll) return "tests only";
  const resting = sitePushServices.restingPushServices().map((pushService) => ({ pushService }));
  const busy = [...Map.groupBy(held, ({ pushService }) => pushService)].flatMap(([pushService, batches]) => {
    if (batches.length < perPushService) return [];
    return batches.length < inAll / 2 ? batches.map(({ runId }) => ({ pushService, runId })) : [{ pushService }];
  });
  const ofRuns = Map.groupBy(held, ({ pushService, runId }) => `${runId} ${pushService}`).values();
  const full = [...ofRuns].flatMap((batches) => {
    const [first, ...others] = batches as [Batch, ...Batch[]];
    const { pushService, runId } = first;
    const recipients = others.reduce((sum, { subscriberIds }) => sum + subscriberIds.length, 0);
    return recipients >= budget.mostOf(first) ? [{ pushService, runId }] : [];
  });
  return [...resting, ...busy, ...full];
}
