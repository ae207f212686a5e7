import type { LocalTime } from "../local-time.ts";

/**
 * A decision to send a campaign: who decided, and when the send starts. A campaign has no more than one waiting
 * planned send of each `waitsFor`.
 */
export type PlannedSend = {
  id: string;
  siteId: string;
  campaignId: string;
  title: string | null;
  /** The member who decided. */
  userId: string;
  /** When the send starts. Null for a request for approval of an immediate send. */
  startsAt: Date | null;
  /** The local time at which each reader gets it. Null if all readers get it at the same moment. */
  localTime: LocalTime | null;
  /** The number of recipients, counted at the decision. */
  audience: number;
  audienceExact: boolean;
};

/**
 * The end of a planned send. states.ts has the possible ends. `refusal`: the error code with which it could not
 * start.
 */
export type PlannedSendEnd =
  | { status: "approved" | "withdrawn" | "refused"; by: string }
  | { status: "sent" | "undone" | "withdrawn" | "failed" }
  | { status: "refused"; refusal: string };
