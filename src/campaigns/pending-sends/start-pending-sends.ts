import type { App } from "../../app.ts";
import { AppError } from "../../errors.ts";
import { sendLockedCampaign } from "../send-campaign.ts";
import { approveLockedRequest } from "../send-requests/decide-send-request.ts";
import type { Member } from "../send-requests/send-request.ts";
import { withCountedCampaign } from "../with-campaign.ts";
import { type DueSend, duePendingSends, endPendingSend, startFacts } from "./queries.ts";

/** A send that could not start for so long, because the service was away, is not started: its author has gone. */
const lateMs = 5 * 60 * 1_000;

/** Starts all pending sends that are due. Any number of processes may call this at once: each send starts once. */
export async function startPendingSends(app: App): Promise<void> {
  for (const due of await duePendingSends(app.db)) {
    try {
      await startPendingSend(app, due);
    } catch (error) {
      app.log.error({ err: error, campaignId: due.campaignId }, "a confirmed send could not start; trying again");
    }
  }
}

async function startPendingSend(app: App, { id, tenantId, campaignId, userId }: DueSend): Promise<void> {
  const actor: Member = { kind: "user", tenantId, userId };
  try {
    await withCountedCampaign(app, actor, campaignId, async (tx, campaign, capCount) => {
      const facts = await startFacts(tx, id);
      if (facts === undefined) return;
      const refusal = refusalOf(facts);
      if (refusal !== null) return endPendingSend(tx, id, { status: "refused", refusal });
      const { requestId } = facts;
      if (requestId !== null) await approveLockedRequest(app, tx, actor, campaign, { requestId, capCount });
      else await sendLockedCampaign(app, tx, actor, campaign, { idempotencyKey: `dashboard-${campaignId}`, capCount });
      return endPendingSend(tx, id, { status: "sent" });
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    await endPendingSend(app.db, id, { status: "refused", refusal: error.code });
  }
}

function refusalOf(facts: { hasChanged: boolean; maySend: boolean; lateMs: number }): string | null {
  if (!facts.maySend) return "forbidden";
  if (facts.hasChanged) return "changed";
  return facts.lateMs > lateMs ? "late" : null;
}
