import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { Tx } from "../db/pool.ts";
import { canonicalForm } from "../decision/story-url.ts";
import { invalidFields } from "../errors.ts";
import { type CampaignRecord, type CampaignView, viewCampaign, warningsOfTopics } from "./campaign.ts";
import { type CampaignChange, readCampaignChange } from "./campaign-input.ts";
import { faultsOfTopics } from "./correction.ts";
import { illegalMove } from "./illegal-move.ts";
import { checkPayloadSize } from "./payload-size.ts";
import { campaignOfTenant, updateDraft } from "./queries.ts";
import { faultsOfReferences } from "./references.ts";
import { withdrawRequests } from "./send-requests/queries.ts";
import { withCampaign } from "./with-campaign.ts";

/**
 * Changes a draft: what `body` names, by the rules of its creation; what it does not name stays. The decision is not
 * taken anew. Returns the campaign. Throws `not_found`, `validation_failed` and `illegal_transition`.
 */
export async function changeCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; body: unknown },
): Promise<CampaignView> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const change = await readChange(tx, campaign, input.body);
    const changed = withChange(campaign, change);
    if (campaign.status === "draft") checkPayloadSize(changed);
    const canonicalUrl = change.url === undefined ? undefined : canonicalForm(change.url, change.url);
    if (!(await updateDraft(tx, changed, canonicalUrl))) throw illegalMove(campaign, { to: "draft", done: "changed" });
    // What a second person would approve is not what was asked for any more.
    await withdrawRequests(tx, campaign.id, actor.kind === "user" ? actor.userId : null);
    return viewCampaign((await campaignOfTenant(tx, actor.tenantId, campaign.id))!, warningsOfTopics(change.topicIds));
  });
}

async function readChange(tx: Tx, campaign: CampaignRecord, body: unknown): Promise<CampaignChange> {
  const read = readCampaignChange(campaign.mode, body);
  const topicIds = read.faults === undefined ? (read.wanted.topicIds ?? []) : read.named.topicIds;
  const faults = [
    ...(read.faults ?? []),
    ...(read.faults === undefined ? faultsOfTopics(campaign, read.wanted.topicIds) : []),
    ...(await faultsOfReferences(tx, campaign.tenantId, { siteId: campaign.siteId, topicIds })),
  ];
  if (read.faults !== undefined || faults.length > 0) throw invalidFields(faults);
  return read.wanted;
}

function withChange(campaign: CampaignRecord, change: CampaignChange): CampaignRecord {
  const imageUrl = change.imageUrl === undefined ? campaign.imageUrl : change.imageUrl || null;
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...campaign, ...given, imageUrl };
}
