import type { Member } from "../../actor.ts";
import type { App } from "../../app.ts";
import { AppError } from "../../errors.ts";
import { approveLockedRequest } from "../approval-requests/decide-approval-request.ts";
import { sendLockedCampaign } from "../send-campaign.ts";
import { withCountedCampaign } from "../with-campaign.ts";
import { closeUndoWindow, type DueSend, endedUndoWindows, startFacts } from "./queries.ts";

/** A send that could not start for so long, because the service was away, is not started: its author has gone. */
const lateMs = 5 * 60 * 1_000;

/**
 * Starts all sends whose undo window has ended. Any number of processes may call this at once: each send starts once.
 */
export async function sendAfterUndoWindows(app: App): Promise<void> {
  for (const due of await endedUndoWindows(app.db)) {
    try {
      await sendAfterUndoWindow(app, due);
    } catch (error) {
      app.log.error({ err: error, campaignId: due.campaignId }, "a confirmed send could not start; trying again");
    }
  }
}

async function sendAfterUndoWindow(app: App, { id, tenantId, campaignId, userId }: DueSend): Promise<void> {
  const actor: Member = { kind: "user", tenantId, userId };
  try {
    await withCountedCampaign(app, actor, campaignId, async (tx, campaign, capCount) => {
      const facts = await startFacts(tx, id);
      if (facts === undefined) return;
      const refusal = refusalOf(facts);
      if (refusal !== null) return closeUndoWindow(tx, id, { status: "refused", refusal });
      const { requestId } = facts;
      if (requestId !== null) await approveLockedRequest(app, tx, actor, campaign, { requestId, capCount });
      else await sendLockedCampaign(app, tx, actor, campaign, { idempotencyKey: `dashboard-${campaignId}`, capCount });
      return closeUndoWindow(tx, id, { status: "sent" });
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    await closeUndoWindow(app.db, id, { status: "refused", refusal: error.code });
  }
}

function refusalOf(facts: { hasChanged: boolean; maySend: boolean; lateMs: number }): string | null {
  if (!facts.maySend) return "forbidden";
  if (facts.hasChanged) return "changed";
  return facts.lateMs > lateMs ? "late" : null;
}
