import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { canBeStopped } from "./kinds.ts";
import { moveRun, runOfTenant } from "./queries.ts";
import { readRun } from "./read-run.ts";
import type { RunRecord } from "./run.ts";
import type { RunView } from "./view-run.ts";

/**
 * Stops a run and returns it. No POST starts later than a second after this returns (run-watch.ts). Stopping twice
 * gives the same answer. Throws `not_found`. Throws `illegal_transition` for a finished run or a test run.
 */
export async function stopRun(app: App, actor: Actor, input: { runId: string }): Promise<RunView> {
  await requestStop(app, actor, input.runId);
  // The run is read after the commit. Counting millions of recipients takes seconds and may fail, and the stop must not
  // wait for it.
  return readRun(app, actor, input);
}

/** Stops a run as `stopRun` does, but does not read it. */
export async function requestStop(app: App, actor: Actor, runId: string): Promise<void> {
  if (!isId(runId)) throw appError("not_found");
  await inTenant(app.db, actor.tenantId, (tx) => moveToStop(tx, actor, runId));
}

async function moveToStop(tx: Tx, actor: Actor, runId: string): Promise<void> {
  const run = await runOfTenant(tx, actor.tenantId, runId);
  if (run === undefined) throw appError("not_found");
  const { siteId } = run;
  if (canBeStopped(run.kind) && (await moveRun(tx, { siteId, runId }, "stopping"))) {
    await recordAuditEvent(tx, actor, "run.stopped", { siteId, subjectId: runId });
    return;
  }
  const now = (await runOfTenant(tx, actor.tenantId, runId))!;
  if (now.status !== "stopping" && now.status !== "stopped") throw illegalStop(now);
}

function illegalStop({ kind, status }: RunRecord) {
  const message = canBeStopped(kind) ? `This run is ${status} already.` : "A test run ends by itself within seconds.";
  return appError("illegal_transition", { message, from: status, to: "stopping", allowed: [] });
}
