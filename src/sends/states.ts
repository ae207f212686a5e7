/**
 * The possible ends of a planned send, by what it waits for. A planned send waits, then ends once. One that waits for
 * `nothing` has already ended when it is stored.
 *
 * - approved: another member approved it. The send starts, or is scheduled.
 * - sent: it started the run of its campaign.
 * - undone: its member took it back within the undo window.
 * - withdrawn: its author, a cancellation, a new schedule or an earlier send ended it.
 * - refused: a member refused it, or it could not start, with an error code.
 * - failed: its time came, and its campaign failed.
 *
 * The check `planned_sends_ends` enforces the same table in the database. A test compares every pair.
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
