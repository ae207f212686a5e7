/**
 * The stored states of a campaign, and the states to which each may move.
 *
 * draft: the campaign can be edited, scheduled, sent or cancelled. It counts as scheduled while a planned send waits
 * for its time. The view campaign_states reads that from the planned send.
 *
 * cancelled: the decision was skip, or a person cancelled the campaign. Final.
 *
 * failed: the campaign was due and could not be sent. `failure` has the reason. Final.
 *
 * started: the campaign has a live run. The view reads the shown status (sending, sent, stopped or failed) from that
 * run, so nothing has to update the campaign when the run ends.
 *
 * The trigger `campaign_moves` enforces the same table in the database. A test compares every pair.
 */
export const campaignMoves = {
  draft: ["started", "cancelled", "failed"],
  cancelled: [],
  failed: [],
  started: [],
} as const satisfies Record<string, readonly string[]>;

export type StoredStatus = keyof typeof campaignMoves;

/** The status of a campaign without the state of its run: a stored state, or `scheduled`. */
export type CampaignState = StoredStatus | "scheduled";

/** The status that the API and the dashboard show. */
export type CampaignStatus = Exclude<CampaignState, "started"> | "sending" | "sent" | "stopped";

/** Returns the states from which a campaign may move to `to`, for the guard of an update. */
export function campaignStatesBefore(to: StoredStatus): StoredStatus[] {
  const states = Object.keys(campaignMoves) as StoredStatus[];
  return states.filter((from) => (campaignMoves[from] as readonly string[]).includes(to));
}

/** The states in which a campaign can be sent, tested and rescheduled. */
export const sendableStates = ["draft", "scheduled"] as const;

export type SendableState = (typeof sendableStates)[number];

export function isSendable(status: CampaignState | CampaignStatus): status is SendableState {
  return (sendableStates as readonly string[]).includes(status);
}

/** The statuses to which the API can move a campaign from its shown status: `allowed` of an `illegal_transition`. */
export const shownMoves: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ["scheduled", "sending", "cancelled"],
  scheduled: ["scheduled", "sending", "cancelled"],
  sending: ["stopped"],
  sent: [],
  stopped: [],
  cancelled: [],
  failed: [],
};
