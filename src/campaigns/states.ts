/**
 * The states of a campaign that are stored, and who moves it out of each:
 *
 * draft      It can be edited, scheduled, sent or cancelled.
 * scheduled  It goes out at `scheduledAt`, by the scheduler, or earlier by a send; it can be cancelled.
 * cancelled  The decision said skip, or someone cancelled it. An end.
 * failed     It was due and could not go out; `failure` says why. An end.
 * started    It has a live run, and what people see is read from that: sending, sent, stopped or failed
 *            (the view campaign_states). A campaign is not told that its run ended.
 *
 * The trigger `campaign_moves` restates the table; a test compares every pair.
 */
export const campaignMoves = {
  draft: ["scheduled", "started", "cancelled"],
  scheduled: ["started", "cancelled", "failed"],
  cancelled: [],
  failed: [],
  started: [],
} as const satisfies Record<string, readonly string[]>;

export type StoredStatus = keyof typeof campaignMoves;

/** What people see. */
export type CampaignStatus = Exclude<StoredStatus, "started"> | "sending" | "sent" | "stopped";

/** The states from which a campaign may move to `to`, for the guard of an update. */
export function campaignStatesBefore(to: StoredStatus): StoredStatus[] {
  const states = Object.keys(campaignMoves) as StoredStatus[];
  return states.filter((from) => (campaignMoves[from] as readonly string[]).includes(to));
}

/** Whether this status is stored by itself: `failed` is read from some runs, too. */
export function isStored(status: CampaignStatus): boolean {
  return status === "draft" || status === "scheduled" || status === "cancelled";
}

/** Where the API lets a campaign go from what people see: the `allowed` of an `illegal_transition`. */
export const shownMoves: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ["scheduled", "sending", "cancelled"],
  scheduled: ["scheduled", "sending", "cancelled"],
  sending: ["stopped"],
  sent: [],
  stopped: [],
  cancelled: [],
  failed: [],
};
