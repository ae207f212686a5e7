import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { type CampaignRecord, illegalMove } from "../campaigns/campaign.ts";
import type { Tx } from "../db/pool.ts";
import { liveRunOfCampaign } from "../runs/queries.ts";
import { shownAudience, withCountedCampaign } from "./cap-count.ts";
import { assertOpen, checkSend, type LockedSend } from "./check-send.ts";
import { commitSend, type SendResult } from "./commit-send.ts";
import { insertPlannedSend } from "./planned-send-queries.ts";
import { checkSecondPerson } from "./second-person.ts";

/**
 * Sends a campaign live, in one short transaction that locks the campaign. If several sends come at the same time,
 * exactly one starts a run. A replay with the same Idempotency-Key returns that run before any gate is checked,
 * whatever its state is now. Throws, in this order: `not_found`, `site_removed`, `dpa_required`, `send_paused`,
 * `billing`, `class_limit`, `class_not_allowed` (for a member or an API key), `confirmation_required` (for a member),
 * `illegal_transition`, `readers_forgotten`. For a feed and a recurring send, `illegal_transition` comes before the
 * gates if a member has changed the campaign.
 */
export async function sendCampaign(
  app: App,
  actor: Actor,
  { campaignId, idempotencyKey }: { campaignId: string; idempotencyKey: string | null },
): Promise<SendResult> {
  return withCountedCampaign(app, actor, campaignId, (tx, campaign, capCount) =>
    sendLockedCampaign(app, tx, { actor, campaign, capCount }, idempotencyKey),
  );
}

/** Sends a campaign that the caller has locked, as `sendCampaign` does. */
export async function sendLockedCampaign(
  app: App,
  tx: Tx,
  send: LockedSend,
  idempotencyKey: string | null,
): Promise<SendResult> {
  const { actor, campaign } = send;
  const replay = await findReplay(tx, campaign, idempotencyKey);
  if (replay !== undefined) return replay;
  // A feed or a recurring send sends only what a feed wrote. A member's text may need a second person.
  if ((actor.kind === "feed" || actor.kind === "recurring") && campaign.revision > 1) {
    throw illegalMove(campaign, { to: "sending", done: "sent by itself, because it was changed by hand" });
  }
  const checked = await checkSend(app, tx, send);
  assertOpen(checked);
  const isUnapproved = await checkSecondPerson(tx, actor, campaign, { to: checked.to, atMs: null });
  const sent = await commitSend(app, tx, send, checked, { idempotencyKey });
  if (isUnapproved && actor.kind === "user") {
    const starts = { inSeconds: 0 };
    await insertPlannedSend(tx, campaign, { waitsFor: "nothing", starts, userId: actor.userId, isUnapproved });
  }
  return sent;
}

async function findReplay(tx: Tx, campaign: CampaignRecord, key: string | null): Promise<SendResult | undefined> {
  const run =
    key === null ? undefined : await liveRunOfCampaign(tx, { siteId: campaign.siteId, campaignId: campaign.id });
  if (run === undefined || run.idempotencyKey !== key) return undefined;
  const status = campaign.shownStatus as SendResult["status"];
  return { campaignId: campaign.id, runId: run.id, status, ...shownAudience(run.expectedAudience), duplicate: true };
}
