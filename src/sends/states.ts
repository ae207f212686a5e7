/**
 * How a planned send may end, by what it waits for. It waits, then ends once; `nothing` has ended from the beginning.
 *
 * approved   Another member approved it: the send starts, or is scheduled.
 * sent       It started the run of its campaign.
 * undone     Its member took it back within the undo window.
 * withdrawn  By its author, a cancellation, a new schedule, or a send that came first.
 * refused    By a member, or with the error code with which it could not start.
 * failed     Its time came, and its campaign has failed.
 *
 * The check `planned_sends_ends` enforces the same table in the database; a test compares every pair.
 */
export const endsOfPlannedSends = {
  approval: ["approved", "refused", "withdrawn"],
  undo: ["sent", "undone", "refused", "withdrawn"],
  time: ["sent", "withdrawn", "failed"],
  nothing: ["sent"],
} as const satisfies Record<string, readonly string[]>;

/**
 * What a planned send waits for: the approval of another member, the end of its undo window, or its time. `nothing`: an
 * immediate send that one member decided alone.
 */
export type WaitsFor = keyof typeof endsOfPlannedSends;
