import { closeRun } from "../../runs/close-run.ts";
import { finalCode, finalCodes, isFinal } from "../../runs/ledger/codes.ts";
import type { BatchEnd } from "../../runs/ledger/flush-batch.ts";
import { recordUnknownReason } from "../../runs/ledger/unknown-reasons.ts";
import { delayPushService, recordAcceptedKey, releasePushService } from "../../runs/push-services.ts";
import type { SitePushService } from "../pace/site-push-services.ts";
import { apply, type BatchState } from "./batch-state.ts";
import type { Delivery } from "./context.ts";
import { flush } from "./flush.ts";

/**
 * The longest delay of a batch because a push service mostly fails. It is short, because another machine may reach
 * the service.
 */
const longestParkMs = 1_000;
/** The delay of a batch whose probe of the key was not taken, so that the next probe belongs to another batch. */
const probedParkMs = 500;

/** Ends the claim: the batch is done, delayed for its retries, or ready for the next claim. */
export async function finishBatch(delivery: Delivery): Promise<void> {
  const { context, state, pushService } = delivery;
  if (state.signal === "fenced") return;
  if (state.signal === "stop") apply(state, { kind: "ended", code: finalCode.stopped });
  if (performance.now() >= state.expiresMs) {
    apply(state, { kind: "ended", code: state.batch.isRateLimited ? finalCode.rateLimited : finalCode.expired });
  }
  if (pushService.restMs() === 0) apply(state, { kind: "waitsChecked" });
  const end = endOf(delivery);
  const { runId, no, subscriberIds } = state.batch;
  if (end.state === "delayed") {
    const line = { runId, no, pushService: state.batch.pushService, afterMs: end.afterMs, fault: state.lastFault };
    context.log.warn(line, "a batch waits for its retries");
  }
  await writeUnknownReasons(delivery);
  if (!(await flush(delivery, end))) return;
  // While the push service rests, waits belong to it and not to its readers.
  if (pushService.restMs() === 0)
    for (const [p, untilMs] of state.waits) pushService.waits.remember(subscriberIds[p]!, untilMs);
  await writePushService(delivery);
  if (end.state === "done") await closeRun(context.db, state.batch);
}

/**
 * Records the unknown reasons before the flush that may end the run, so that everybody who looks at the ended run
 * sees them.
 */
async function writeUnknownReasons({ context, state }: Delivery): Promise<void> {
  const { pushService } = state.batch;
  for (const [code, said] of state.unknownReasons) {
    if (!(await recordUnknownReason(context.db, state.batch, { pushService, code, said }))) continue;
    const line = { pushService, said, readAs: finalCodes[code].reason };
    context.log.warn(line, "a push service gives a reason that Pressbell does not know: report it with this line");
  }
}

function endOf({ state, pushService }: Delivery): BatchEnd {
  if (state.codes.every(isFinal)) return { state: "done" };
  // The batch is also delayed while the service mostly fails, so that the run shows it.
  const probedMs = pushService.key.isOnProbation() ? probedParkMs : 0;
  const pushServiceMs = Math.max(pushService.restMs(), Math.min(pushService.window.restMs(), longestParkMs), probedMs);
  // Recipients who have not had their turn, because of a drain, a pause or such a rest, do not wait for the retries of
  // others.
  const afterMs = state.due.length > 0 ? pushServiceMs : Math.max(retriesAfterMs(state, pushService), pushServiceMs);
  return afterMs > 0 ? { state: "delayed", afterMs } : { state: "ready" };
}

/**
 * Returns in how many ms the retries are due. They are due after their back-off. If all of them wait, they are due
 * when the first wait is over.
 */
function retriesAfterMs({ retryAfterMs, waits }: BatchState, pushService: SitePushService): number {
  if (retryAfterMs > 0 || waits.size === 0 || pushService.restMs() > 0) return retryAfterMs;
  return Math.max(1, Math.min(...waits.values()) - performance.now());
}

/** Records for the other threads and machines whether the push service rests, or takes messages again after a block. */
async function writePushService({ context, state, pushService }: Delivery): Promise<void> {
  const { siteId, pushService: name, blockedReason, vapidPublicKey } = state.batch;
  const restMs = pushService.restMs();
  if (restMs > 0) {
    await delayPushService(context.db, siteId, name, restMs, pushService.restReason(), pushService.takeThrottle());
  } else if (blockedReason !== null && !pushService.key.isOnProbation()) {
    await releasePushService(context.db, siteId, name);
    context.log.info({ siteId, pushService: name }, "a push service takes the site's messages again");
  }
  if (pushService.key.takeEvidence()) await recordAcceptedKey(context.db, siteId, name, vapidPublicKey);
}
