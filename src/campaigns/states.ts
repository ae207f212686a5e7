/**
 * The stored states of a campaign, and what moves it out of each:
 *
 * draft      Can be edited, scheduled, sent or cancelled.
 * scheduled  The scheduler sends it at `scheduledAt`. Can be sent earlier, rescheduled or cancelled.
 * cancelled  The decision was skip, or a person cancelled it. Final.
 * failed     It was due and could not be sent; `failure` has the reason. Final.
 * started    It has a live run. Its shown status (sending, sent, stopped or failed) is read from that run by the view
 *            campaign_states, so nothing has to update the campaign when its run ends.
 *
 * The trigger `campaign_moves` enforces the same table in the database; a test compares every pair.
 */
export const campaignMoves = {
  draft: ["scheduled", "started", "cancelled"],
  scheduled: ["started", "cancelled", "failed"],
  cancelled: [],
  failed: [],
  started: [],
} as const satisfies Record<string, readonly string[]>;

export type StoredStatus = keyof typeof campaignMoves;

/** The status that the API and the dashboard show. */
export type CampaignStatus = Exclude<StoredStatus, "started"> | "sending" | "sent" | "stopped";

/** The states from which a campaign may move to `to`, for the guard of an update. */
export function campaignStatesBefore(to: StoredStatus): StoredStatus[] {
  const states = Object.keys(campaignMoves) as StoredStatus[];
  return states.filter((from) => (campaignMoves[from] as readonly string[]).includes(to));
}

/** A state from which a campaign can be sent: draft or scheduled. */
export type SendableStatus = {
  [From in StoredStatus]: "started" extends (typeof campaignMoves)[From][number] ? From : never;
}[StoredStatus];

export const sendableStates = campaignStatesBefore("started") as SendableStatus[];

/** Whether a campaign of this status can be sent, tested and rescheduled. */
export function isSendable(status: StoredStatus | CampaignStatus): status is SendableStatus {
  return (sendableStates as string[]).includes(status);
}

/** Whether every campaign that shows this status also stores it. Not `failed`: that can come from a run. */
export function isStored(status: CampaignStatus): boolean {
  return status === "draft" || status === "scheduled" || status === "cancelled";
}

/** The statuses that the API can move a campaign to from its shown status: `allowed` of an `illegal_transition`. */
export const shownMoves: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ["scheduled", "sending", "cancelled"],
  scheduled: ["scheduled", "sending", "cancelled"],
  sending: ["stopped"],
  sent: [],
  stopped: [],
  cancelled: [],
  failed: [],
};
