import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { Executor } from "../db/database.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { runOfTenant, sumBatches, totalsOfRun } from "./queries.ts";
import { type RunRecord, type RunView, viewRun } from "./run.ts";

/** The run with this id, if it is the actor's tenant's. Throws `not_found`. */
export async function readRun(app: App, actor: Actor, input: { runId: string }): Promise<RunView> {
  const record = isId(input.runId) && (await runOfTenant(app.db, actor.tenantId, input.runId));
  if (!record) throw appError("not_found");
  return viewRecord(app.db, record);
}

/** A run's record with its sums, as callers see it. */
export async function viewRecord(on: Executor, record: RunRecord): Promise<RunView> {
  const ref = { siteId: record.siteId, runId: record.id };
  return viewRun(record, await sumBatches(on, ref), await totalsOfRun(on, ref));
}
