import type { LocalTime } from "../local-time.ts";
import type { PlannedSend } from "./planned-send.ts";

/** A planned send that waits for a second person. `label`: name and address of the member who asks for it. */
export type ApprovalRequestRecord = Omit<PlannedSend, "audienceExact"> & {
  label: string;
  decidedAt: Date;
  expiresAt: Date;
};

/** An approval request in the form of the dashboard. If `scheduleAt` is null, the campaign is sent at the approval. */
export type ApprovalRequest = {
  requestId: string;
  campaignId: string;
  title: string | null;
  audience: number;
  /** Times: ISO 8601, UTC. */
  scheduleAt: string | null;
  localTime: LocalTime | null;
  askedBy: { userId: string; label: string };
  askedAt: string;
  expiresAt: string;
};

export function viewApprovalRequest(record: ApprovalRequestRecord): ApprovalRequest {
  const { id: requestId, campaignId, title, audience, userId, label, localTime } = record;
  return {
    requestId,
    campaignId,
    title,
    audience,
    scheduleAt: record.startsAt?.toISOString() ?? null,
    localTime,
    askedBy: { userId, label },
    askedAt: record.decidedAt.toISOString(),
    expiresAt: record.expiresAt.toISOString(),
  };
}

/** The longest life of a request, in hours. It ends earlier at the site's freshness limit, or at its `scheduleAt`. */
export const requestHours = 24;
