import type { LocalTime } from "../local-time.ts";

/**
 * What a planned send waits for: the approval of another member, the end of its undo window, or its time. `nothing`: a
 * send at once that one member decided on alone.
 */
export type WaitsFor = "approval" | "undo" | "time" | "nothing";

/**
 * Who decided that a campaign is sent, and when. The database holds one waiting planned send of each `waitsFor` for a
 * campaign.
 */
export type PlannedSend = {
  id: string;
  siteId: string;
  campaignId: string;
  /** The campaign's title. */
  title: string | null;
  /** The member who decided. */
  userId: string;
  /** When it starts. Null: a request for approval of a send at once. */
  startsAt: Date | null;
  /** Null: to all readers at the same moment. */
  localTime: LocalTime | null;
  /** Counted when it was decided. */
  audience: number;
  audienceExact: boolean;
};

/**
 * How a planned send ends. `withdrawn`: by a cancellation, a new schedule, or a send that came first. `refused`: by a
 * member, or with the error code for which it could not start. `failed`: its time came, and its campaign has failed.
 */
export type PlannedSendEnd =
  | { status: "approved" | "withdrawn" | "refused"; by: string }
  | { status: "sent" | "undone" | "withdrawn" | "failed" }
  | { status: "refused"; refusal: string };
