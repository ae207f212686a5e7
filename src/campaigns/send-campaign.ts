import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant, type Tx } from "../db/database.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { liveRunOfCampaign } from "../runs/queries.ts";
import { startRun } from "../runs/start-run.ts";
import { countSubscribers } from "../subscribers/queries.ts";
import type { CampaignRecord } from "./campaign.ts";
import { firstShutGate } from "./gates.ts";
import { campaignOfTenant, gateFactsOfSite, lockCampaign, moveCampaign } from "./queries.ts";
import { shownMoves } from "./states.ts";

/** The audience is counted for the answer at most to here, so that a send costs the same for ten million readers. */
const countAtMost = 10_000;

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
 * gate. Throws, in this order: `not_found`, `dpa_required`, `send_paused`, `billing`, `illegal_transition`.
 */
export async function sendCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; idempotencyKey: string | null },
): Promise<SendResult> {
  if (!isId(input.campaignId)) throw appError("not_found");
  return inTenant(app.db, actor.tenantId, async (tx) => {
    if (!(await lockCampaign(tx, actor.tenantId, input.campaignId))) throw appError("not_found");
    const campaign = (await campaignOfTenant(tx, actor.tenantId, input.campaignId))!;
    const replay = await findReplay(tx, campaign, input.idempotencyKey);
    if (replay !== undefined) return replay;
    const audience = await checkGates(app, tx, campaign);
    return startLiveRun(tx, campaign, audience, input.idempotencyKey);
  });
}

async function findReplay(tx: Tx, campaign: CampaignRecord, key: string | null): Promise<SendResult | undefined> {
  const run =
    key === null ? undefined : await liveRunOfCampaign(tx, { siteId: campaign.siteId, campaignId: campaign.id });
  if (run === undefined || run.idempotencyKey !== key) return undefined;
  return {
    campaignId: campaign.id,
    runId: run.id,
    status: campaign.shownStatus as SendResult["status"],
    audience: Math.min(run.expectedAudience, countAtMost),
    audienceExact: run.expectedAudience <= countAtMost,
    duplicate: true,
  };
}

/** Throws the first gate that is shut; returns the audience, counted at most to what the answer and the cap need. */
async function checkGates(app: App, tx: Tx, campaign: CampaignRecord): Promise<number> {
  const facts = (await gateFactsOfSite(tx, campaign.siteId))!;
  const audienceCap = app.config.PLANS[facts.plan]?.audienceCap;
  const limit = Math.max(countAtMost, audienceCap ?? 0) + 1;
  const audience = await countSubscribers(tx, campaign.siteId, campaign.topicIds, limit);
  const counted = audienceCap === undefined ? audience : Math.min(audience, audienceCap + 1);
  const shut = firstShutGate({ ...facts, audience: counted, audienceCap });
  if (shut !== undefined) throw shut;
  return audience;
}

async function startLiveRun(
  tx: Tx,
  campaign: CampaignRecord,
  audience: number,
  idempotencyKey: string | null,
): Promise<SendResult> {
  if (!(await moveCampaign(tx, campaign, "started"))) {
    const from = campaign.shownStatus;
    const message = `This campaign is ${from}, so it cannot be sent.`;
    throw appError("illegal_transition", { message, from, to: "sending", allowed: shownMoves[from] });
  }
  const { runId } = await startRun(tx, {
    siteId: campaign.siteId,
    tenantId: campaign.tenantId,
    campaignId: campaign.id,
    kind: "live",
    message: { title: campaign.title!, body: campaign.body, url: campaign.url, imageUrl: campaign.imageUrl },
    topicIds: campaign.topicIds,
    ttlSeconds: campaign.ttlSeconds,
    urgency: campaign.urgency,
    idempotencyKey,
    expectedAudience: audience,
  });
  return {
    campaignId: campaign.id,
    runId,
    status: "sending",
    audience: Math.min(audience, countAtMost),
    audienceExact: audience <= countAtMost,
    duplicate: false,
  };
}
