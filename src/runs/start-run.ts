import type { Executor } from "../db/pool.ts";
import { newId } from "../ids.ts";
import { lastSubscriberId } from "../subscribers/queries.ts";
import { linkRun } from "../tracing.ts";
import type { NewHeadlineTest } from "./headline-test/headline-test.ts";
import { insertHeadlineTest } from "./headline-test/queries.ts";
import { insertRun, type NewRun } from "./queries.ts";

/**
 * Starts a run to the subscribers of this moment (or up to `maxSubscriberId`; with a new id unless `runId` is given),
 * with a `test` of headlines if there is one, in the caller's transaction. The row is the job: the planner finds it.
 * Costs the same for ten subscribers and for ten million. Throws where the campaign has a live run already (unique
 * index).
 */
export async function startRun(
  tx: Executor,
  {
    runId = newId(),
    test,
    ...input
  }: Omit<NewRun, "id" | "maxSubscriberId"> & {
    runId?: string;
    maxSubscriberId?: number | undefined;
    test?: NewHeadlineTest | undefined;
  },
): Promise<{ runId: string }> {
  const maxSubscriberId = input.maxSubscriberId ?? (await lastSubscriberId(tx, input.siteId));
  await insertRun(tx, { ...input, id: runId, maxSubscriberId });
  if (test !== undefined) await insertHeadlineTest(tx, { siteId: input.siteId, runId }, test);
  linkRun(runId);
  return { runId };
}
