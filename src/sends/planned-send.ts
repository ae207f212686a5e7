import type { LocalTime } from "../local-time.ts";

/**
 * Who decided that a campaign is sent, and when. A campaign has no more than one waiting planned send
 * of each `waitsFor`.
 */
export type PlannedSend = {
  id: string;
  siteId: string;
  campaignId: string;
  title: string | null;
  /** The member who decided. */
  userId: string;
  /** When it starts. Null: a request for approval of an immediate send. */
  startsAt: Date | null;
  /** Null if all readers get it at the same moment. */
  localTime: LocalTime | null;
  /** The number of recipients, counted when it was decided. */
  audience: number;
  audienceExact: boolean;
};

/** How a planned send ends; states.ts has the ends. `refusal`: the error code with which it could not start. */
export type PlannedSendEnd =
  | { status: "approved" | "withdrawn" | "refused"; by: string }
  | { status: "sent" | "undone" | "withdrawn" | "failed" }
  | { status: "refused"; refusal: string };
