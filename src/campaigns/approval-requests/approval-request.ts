import type { LocalTime } from "../../runs/waves/waves.ts";

/** A send that waits for a second person: what it sends, who asked for it, and until when it can be approved. */
export type ApprovalRequestRecord = {
  id: string;
  siteId: string;
  campaignId: string;
  title: string | null;
  /** Null: the campaign is sent at the approval. */
  scheduleAt: Date | null;
  /** Null: to all readers at the same moment. */
  localTime: LocalTime | null;
  audience: number;
  askedBy: string;
  askedByEmail: string;
  askedAt: Date;
  expiresAt: Date;
};

/** An approval request as the dashboard gets it. Times: ISO 8601, UTC. */
export type ApprovalRequest = ReturnType<typeof viewApprovalRequest>;

export function viewApprovalRequest(record: ApprovalRequestRecord) {
  const { id: requestId, campaignId, title, audience, askedBy, askedByEmail, localTime } = record;
  return {
    ...{ requestId, campaignId, title, audience },
    scheduleAt: record.scheduleAt?.toISOString() ?? null,
    localTime,
    askedBy: { userId: askedBy, email: askedByEmail },
    askedAt: record.askedAt.toISOString(),
    expiresAt: record.expiresAt.toISOString(),
  };
}

/** The longest life of a request. It ends earlier at the site's freshness limit, or at its `scheduleAt`. */
export const requestHours = 24;
