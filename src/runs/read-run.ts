import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { type Executor, inTenant } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { type HeadlineTestView, viewHeadlineTest } from "./headline-test/headline-test.ts";
import { figuresOfVariants, headlineTestOfRun } from "./headline-test/queries.ts";
import { countCodesOfRun, sumsOfRun, totalsOfRun, waitingOfRun } from "./ledger/counts.ts";
import { type UnknownReason, unknownReasonsOfRun } from "./ledger/unknown-reasons.ts";
import { wavesOfRun } from "./ledger/waves.ts";
import { outcomesOfRun, type RunRef, receiptHoursOfRun, runOfTenant, screenTimesOfRun } from "./queries.ts";
import type { CodeCount, RunRecord } from "./run.ts";
import { type RunView, viewRun } from "./view-run.ts";
import { viewWave } from "./waves/waves.ts";

/** Returns the run with this id, if it belongs to the actor's tenant. Throws `not_found`. */
export async function readRun(app: App, actor: Actor, input: { runId: string }): Promise<RunView> {
  if (!isId(input.runId)) throw appError("not_found");
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const record = await runOfTenant(tx, actor.tenantId, input.runId);
    if (record === undefined) throw appError("not_found");
    return viewRecord(tx, record);
  });
}

/**
 * Returns a run's record with its sums, in the form of the API. The reasons are counted from batches while the run is
 * open. After that they come from its totals.
 */
export async function viewRecord(on: Executor, record: RunRecord): Promise<RunView> {
  const ref = { siteId: record.siteId, runId: record.id };
  const sums = await sumsOfRun(on, ref);
  const hours = await receiptHoursOfRun(on, ref);
  const isOver = record.finishedAt !== null;
  const counts = isOver ? await totalsOfRun(on, ref) : await countCodesOfRun(on, ref);
  const unknown = await unknownReasonsOfRun(on, ref);
  const codes = counts.map((count) => ({ ...count, said: unknown.find(isOf(count))?.said }));
  const waiting = isOver ? [] : await waitingOfRun(on, ref);
  const headlineTest = await readHeadlineTest(on, ref);
  const received = { hours, screens: await screenTimesOfRun(on, ref), afterClick: await outcomesOfRun(on, ref) };
  const view = { ...viewRun(record, sums, codes, waiting, received), ...(headlineTest && { headlineTest }) };
  return record.localTime === null ? view : { ...view, ...(await readWaves(on, ref, record)) };
}

const isOf =
  ({ pushService, code }: CodeCount) =>
  (reason: UnknownReason) =>
    reason.pushService === pushService && reason.code === code;

async function readWaves(on: Executor, run: RunRef, { localTime, stopRequestedAt, finishedAt }: RunRecord) {
  const waves = await wavesOfRun(on, run);
  return { localTime: localTime!, waves: waves.map((wave) => viewWave(wave, stopRequestedAt ?? finishedAt)) };
}

async function readHeadlineTest(on: Executor, run: RunRef): Promise<HeadlineTestView | undefined> {
  const test = await headlineTestOfRun(on, run);
  if (test === undefined) return undefined;
  const figures = test.figures ?? (await figuresOfVariants(on, run, test.messages.length));
  return viewHeadlineTest({ ...test, figures });
}
