/**
 * The states of a run, and who moves it out of each:
 *
 * queued     The send was answered, the audience is frozen and not yet paged. The planner moves it with its first page.
 * sending    Batches are claimed and delivered. A pause halts it without a move (`heldBy`). Ends by its last batch.
 * stopping   Someone stopped it: nobody starts another POST; what is in flight is awaited. Ends by its last batch too.
 * completed  Every recipient has an outcome.
 * stopped    The same, and the rest after the stop is `notSent`.
 * failed     It cannot go on: its site was deleted.
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

/** The states from which a run may move to `to`, for the guard of an update. */
export function runStatesBefore(to: RunStatus): RunStatus[] {
  const states = Object.keys(runMoves) as RunStatus[];
  return states.filter((from) => (runMoves[from] as readonly string[]).includes(to));
}
