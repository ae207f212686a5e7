import { type AppError, appError } from "../../errors.ts";

/** A send that waits for a second person: what is asked, by whom, and until when. */
export type SendRequestRecord = {
  id: string;
  siteId: string;
  campaignId: string;
  title: string | null;
  scheduleAt: Date | null;
  audience: number;
  askedBy: string;
  askedByEmail: string;
  askedAt: Date;
  expiresAt: Date;
};

/** A request as members see it. */
export type SendRequest = ReturnType<typeof viewSendRequest>;

export function viewSendRequest(record: SendRequestRecord) {
  const { id: requestId, campaignId, title, audience, askedBy, askedByEmail } = record;
  return {
    ...{ requestId, campaignId, title, audience },
    scheduleAt: record.scheduleAt?.toISOString() ?? null,
    askedBy: { userId: askedBy, email: askedByEmail },
    askedAt: record.askedAt.toISOString(),
    expiresAt: record.expiresAt.toISOString(),
  };
}

/** A request ends after this, or when the site's stories are too old, or when it was to go out. */
export const requestHours = 24;

/** The request is decided, withdrawn or over, or another one has taken its place. */
export function requestOver(): AppError {
  return appError("request_over");
}
