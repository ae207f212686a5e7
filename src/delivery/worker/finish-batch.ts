import { type BatchEnd, holdLane, releaseLane } from "../../runs/batches.ts";
import { closeRun, endCodes } from "../../runs/close-run.ts";
import { expiredCode, isFinal, stoppedCode } from "../../runs/codes.ts";
import type { Delivery } from "./context.ts";
import { flush } from "./flush.ts";

/** How long a batch is left alone at most because a push service mostly fails as this thread sees it. */
const parkAtMostMs = 1_000;

/** Leaves the batch as it has to be left: at its end, parked for its retries, or free for whoever comes next. */
export async function finish(delivery: Delivery): Promise<void> {
  const { context, work } = delivery;
  if (work.signal === "fenced") return;
  const { batch } = work;
  if (work.signal === "stop") work.codes = endCodes(work.codes, stoppedCode);
  if (performance.now() >= work.expiresMs) work.codes = endCodes(work.codes, expiredCode);
  noteLaneRest(delivery);
  const end = endOf(delivery);
  if (end.state === "parked") {
    const { runId, no, lane } = batch;
    context.log.warn({ runId, no, lane, afterMs: end.afterMs, fault: work.lastFault }, "a batch waits for its retries");
  }
  if (!(await flush(delivery, end))) return;
  await keepLane(delivery);
  if (end.state === "done") await closeRun(context.db, batch);
}

/** A rest that another batch of this site was asked for holds for this one too. */
function noteLaneRest({ work, lane }: Delivery): void {
  const restMs = lane.restMs();
  if (restMs > 0 && work.laneHold === undefined) work.laneHold = { ms: restMs, refusal: null };
}

function endOf({ work, lane }: Delivery): BatchEnd {
  if (work.codes.every(isFinal)) return { state: "done" };
  // Parked where the service mostly fails, so that the run says so. Not for long: perhaps another machine reaches it.
  const laneMs = Math.max(work.laneHold?.ms ?? 0, Math.min(lane.window.restMs(), parkAtMostMs));
  // Whose turn has not come, because of a drain, a pause or such a rest, need not wait for the retries of the others.
  const afterMs = work.due.length > 0 ? laneMs : Math.max(work.restMs, laneMs);
  return afterMs > 0 ? { state: "parked", afterMs } : { state: "ready" };
}

/** Tells the other threads and machines how the push service stands to this site. */
async function keepLane({ context, work, lane }: Delivery): Promise<void> {
  const { siteId, lane: name, heldReason } = work.batch;
  if (work.laneHold !== undefined) {
    const { ms, refusal } = work.laneHold;
    if (refusal !== null) {
      const line = { siteId, lane: name, reason: refusal, forMs: ms, said: work.lastFault };
      context.log.error(line, "a push service refuses the site's key: nothing is sent there until it takes a message");
    }
    await holdLane(context.db, siteId, name, ms, refusal);
  } else if (heldReason !== null && !lane.isOnProbation()) {
    await releaseLane(context.db, siteId, name);
    context.log.info({ siteId, lane: name }, "a push service takes the site's messages again");
  }
}
