import type { Database } from "../db/pool.ts";
import type { Logger } from "../log.ts";
import { startPollLoop, type WakeablePollLoop } from "../poll-loop.ts";
import { sweepRuns } from "./close-run.ts";
import { endHeadlineTests } from "./headline-test/end-tests.ts";
import { PlanningError } from "./plan/plan-failure.ts";
import { planNextPage } from "./plan/plan-run.ts";
import { openDueWaves } from "./waves/open-waves.ts";

const lookEveryMs = 200;
const sweepEveryMs = 1_000;

const givenUp =
  "the audience of a run could not be planned to its end: the run goes on to those who are in batches, and the others have failed; see the database's log, locks and disk";

/**
 * Starts a poller that plans and closes runs. It divides the audience of new runs into batches, page by page, releases
 * waves whose moment has come, and closes runs whose batches are all done. It finds its work in the rows of the runs
 * themselves. So any number of processes may run it, and a process that dies leaves nothing to clean up.
 */
export function startRunPoller(db: Database, log: Logger): WakeablePollLoop {
  let sweptMs = 0;

  async function round(stopping: AbortSignal): Promise<void> {
    // The pages of a large run and the batches of a large wave take a minute, and other runs begin and end meanwhile.
    for (let hasMore = true; hasMore && !stopping.aborted; ) {
      const isReleasing = await release();
      await sweep();
      hasMore = (await planNextPage(db)) || isReleasing;
    }
  }

  /** Returns whether there may be more to release. */
  async function release(): Promise<boolean> {
    const { hasMore, errors } = await openDueWaves(db).catch((error) => ({ hasMore: false, errors: [error] }));
    for (const error of errors) log.error({ err: error }, "a wave could not be released; will retry");
    return hasMore;
  }

  async function sweep(): Promise<void> {
    if (performance.now() - sweptMs < sweepEveryMs) return;
    sweptMs = performance.now();
    const { ended, errors } = await endHeadlineTests(db).catch((error) => ({ ended: [], errors: [error] }));
    for (const test of ended) log.info(test, "a headline test has ended");
    for (const error of errors) log.error({ err: error }, "a headline test could not be ended; will retry");
    for (const run of await sweepRuns(db)) log.info({ runId: run.runId }, "a run was closed");
  }

  function onFault(error: unknown): void {
    if (!(error instanceof PlanningError)) log.warn({ err: error }, "runs could not be planned or closed; will retry");
    else if (error.isGivenUp) log.error({ err: error, runId: error.runId }, givenUp);
    else log.warn({ err: error, runId: error.runId }, "a page of a run's audience could not be planned; will retry");
  }

  return startPollLoop({ round, everyMs: lookEveryMs, onFault });
}
