import type { LocalTime } from "../local-time.ts";

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

/** How a planned send ends; states.ts has the ends. `refusal`: the error code for which it could not start. */
export type PlannedSendEnd =
  | { status: "approved" | "withdrawn" | "refused"; by: string }
  | { status: "sent" | "undone" | "withdrawn" | "failed" }
  | { status: "refused"; refusal: string };
