import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { Tx } from "../db/pool.ts";
import { closeEmptyRun } from "../runs/close-run.ts";
import { liveRunOfCampaign } from "../runs/queries.ts";
import { startRun } from "../runs/start-run.ts";
import type { CampaignRecord } from "./campaign.ts";
import { countAtMost, judgeGates } from "./gates.ts";
import { illegalMove } from "./illegal-move.ts";
import { correctedRun, moveCampaign } from "./queries.ts";
import { readRunMessage } from "./run-message.ts";
import { judgeSecondPerson } from "./send-requests/second-person.ts";
import { withCampaign } from "./with-campaign.ts";

export type SendResult = {
  campaignId: string;
  runId: string;
  status: "sending" | "sent" | "stopped" | "failed";
  audience: number;
  /** False: the audience is larger than `audience`, and the run will tell. */
  audienceExact: boolean;
  /** Whether this answer repeats an earlier one with the same Idempotency-Key. */
  duplicate: boolean;
};

/**
 * Sends a campaign live: one short transaction that locks the campaign, so of many sends at once exactly one starts a
 * run. A replay with the same Idempotency-Key answers with that run, whatever has happened to it since, and before any
 * gate. Throws, in this order: `not_found`, `site_removed`, `dpa_required`, `send_paused`, `billing`, to a member
 * `confirmation_required`, `illegal_transition`.
 */
export async function sendCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; idempotencyKey: string | null },
): Promise<SendResult> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const replay = await findReplay(tx, campaign, input.idempotencyKey);
    if (replay !== undefined) return replay;
    const { shut, audience } = await judgeGates(app, tx, campaign);
    if (shut[0] !== undefined) throw shut[0];
    await judgeSecondPerson(tx, actor, campaign);
    return startLiveRun(app, tx, actor, campaign, { audience, idempotencyKey: input.idempotencyKey });
  });
}

async function findReplay(tx: Tx, campaign: CampaignRecord, key: string | null): Promise<SendResult | undefined> {
  const run =
    key === null ? undefined : await liveRunOfCampaign(tx, { siteId: campaign.siteId, campaignId: campaign.id });
  if (run === undefined || run.idempotencyKey !== key) return undefined;
  const status = campaign.shownStatus as SendResult["status"];
  return { campaignId: campaign.id, runId: run.id, status, ...shownAudience(run.expectedAudience), duplicate: true };
}

function shownAudience(counted: number): Pick<SendResult, "audience" | "audienceExact"> {
  return { audience: Math.min(counted, countAtMost), audienceExact: counted <= countAtMost };
}

/**
 * Starts the live run of a campaign that the caller has locked and whose gates are open, from a state in which it can
 * be sent; to nobody, it is over with that. Throws `illegal_transition`.
 */
export async function startLiveRun(
  app: App,
  tx: Tx,
  actor: Actor,
  campaign: CampaignRecord,
  { audience, idempotencyKey }: { audience: number; idempotencyKey: string | null },
): Promise<SendResult> {
  if (!(await moveCampaign(tx, campaign, "started"))) throw illegalMove(campaign, { to: "sending", done: "sent" });
  const { siteId, tenantId, id: campaignId, topicIds, ttlSeconds, urgency } = campaign;
  const message = await readRunMessage(app, tx, campaign);
  const corrected = campaign.corrects === null ? undefined : await correctedRun(tx, tenantId, campaign.corrects);
  const { runId } = await startRun(tx, {
    siteId,
    tenantId,
    campaignId,
    kind: "live",
    message,
    topicIds,
    ttlSeconds,
    urgency,
    idempotencyKey,
    expectedAudience: audience,
    maxSubscriberId: corrected?.maxSubscriberId,
  });
  if (audience === 0) await closeEmptyRun(tx, { siteId, runId });
  await recordAuditEvent(tx, actor, "campaign.sent", {
    siteId,
    subjectId: campaignId,
    details: shownAudience(audience),
  });
  const status = audience === 0 ? "sent" : "sending";
  return { campaignId, runId, status, ...shownAudience(audience), duplicate: false };
}
