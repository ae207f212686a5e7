import type { Executor } from "../db/pool.ts";
import { newId } from "../ids.ts";
import { lastSubscriberId } from "../subscribers/queries.ts";
import { insertRun, type NewRun } from "./queries.ts";

/**
 * Starts a run to the audience of this moment (or up to `maxSubscriberId`), within the caller's transaction: the row is the work, and the planner
 * finds it. Costs the same for ten subscribers and ten million. Returns the run's id. A second live run of the same
 * campaign violates a unique index and throws.
 */
export async function startRun(
  tx: Executor,
  input: Omit<NewRun, "id" | "maxSubscriberId"> & { maxSubscriberId?: number | undefined },
): Promise<{ runId: string }> {
  const runId = newId();
  const maxSubscriberId = input.maxSubscriberId ?? (await lastSubscriberId(tx, input.siteId));
  await insertRun(tx, { ...input, id: runId, maxSubscriberId });
  return { runId };
}
