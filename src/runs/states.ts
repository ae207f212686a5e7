/**
 * The states of a run, and what moves it out of each.
 * - queued: The send was answered. The audience is frozen, but no page of it is planned. The planner moves the run
 *   with its first page.
 * - sending: Batches are claimed and delivered. A pause halts the run without a move (`heldBy`). Ends with the last
 *   batch.
 * - stopping: The run was stopped. No POST starts, and POSTs in flight are awaited. Ends with the last batch.
 * - completed: Every recipient has an outcome.
 * - stopped: Every recipient has an outcome. Messages not sent before the stop are `notSent`.
 * - failed: The site was removed, or part of the audience could not be planned and all planned batches are done.
 *
 * The trigger `run_moves` repeats the table, and a test compares every pair.
 */
export const runMoves = {
  queued: ["sending", "stopping", "completed", "failed"],
  sending: ["stopping", "completed", "failed"],
  stopping: ["stopped", "failed"],
  completed: [],
  stopped: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type RunStatus = keyof typeof runMoves;

const runStatuses = Object.keys(runMoves) as RunStatus[];

/** The statuses that a run can still leave: queued, sending, stopping. */
export const openRunStatuses = runStatuses.filter((status) => runMoves[status].length > 0);

/** Returns whether a run has not ended. */
export function isOpen(status: RunStatus): boolean {
  return openRunStatuses.includes(status);
}

/** Returns the states from which a run may move to `to`, for the guard of an update. */
export function runStatesBefore(to: RunStatus): RunStatus[] {
  return runStatuses.filter((from) => (runMoves[from] as readonly string[]).includes(to));
}
