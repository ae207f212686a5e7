/**
 * The states of a run, and what moves it out of each:
 *
 * queued     The send was answered; the audience is frozen and not yet paged. The planner moves it with its first page.
 * sending    Batches are claimed and delivered. A pause halts it without a move (`heldBy`). Ends with its last batch.
 * stopping   It was stopped: no POST starts; what is in flight is awaited. Ends with its last batch.
 * completed  Every recipient has an outcome.
 * stopped    The same; what was not sent before the stop is `notSent`.
 * failed     Its site was removed; or its audience could not be planned to its end, and all batches that were are done.
 *
 * The trigger `run_moves` restates the table; a test compares every pair.
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

/** Whether a run has not ended. */
export function isOpen(status: RunStatus): boolean {
  return openRunStatuses.includes(status);
}

/** The states from which a run may move to `to`, for the guard of an update. */
export function runStatesBefore(to: RunStatus): RunStatus[] {
  return runStatuses.filter((from) => (runMoves[from] as readonly string[]).includes(to));
}
