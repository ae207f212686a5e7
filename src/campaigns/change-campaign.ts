import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { Tx } from "../db/pool.ts";
import { canonicalForm } from "../decision/story-url.ts";
import { invalidFields } from "../errors.ts";
import { type CampaignRecord, type CampaignView, illegalMove, viewCampaign, warningsOfTopics } from "./campaign.ts";
import { type CampaignChange, readCampaignChange } from "./campaign-input.ts";
import { assertPayloadFits, faultsOfFollowers, faultsOfReferences } from "./campaign-rules.ts";
import { faultsOfAudience } from "./correction.ts";
import { assertVariantsFit } from "./headline-variants.ts";
import { extraFields, withExtras } from "./nudge-extras.ts";
import { campaignOfTenant, type DraftChange, updateDraft } from "./queries.ts";
import { withCampaign } from "./with-campaign.ts";

/**
 * Changes the fields of a draft that `body` names, by the rules of a creation. Does not repeat the decision. Ends a
 * request for approval, because an approval covers only what was asked for. Returns the campaign. Throws `not_found`,
 * `validation_failed` and `illegal_transition`.
 */
export async function changeCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; body: unknown },
): Promise<CampaignView> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const change = await readDraftChange(tx, campaign, input.body);
    if (campaign.status !== "draft") throw illegalMove(campaign, { to: "draft", done: "changed" });
    await assertFits(tx, { ...campaign, ...change });
    await updateDraft(tx, campaign, change);
    return viewCampaign((await campaignOfTenant(tx, actor.tenantId, campaign.id))!, warningsOfTopics(change.topicIds));
  });
}

/** Throws `validation_failed` if the changed campaign cannot be sent. */
export async function assertFits(tx: Tx, campaign: CampaignRecord): Promise<void> {
  assertPayloadFits(campaign);
  await assertVariantsFit(tx, campaign);
}

/** Returns the change of a campaign in `body`, as it is stored. Throws `validation_failed`. */
export async function readDraftChange(tx: Tx, campaign: CampaignRecord, body: unknown): Promise<DraftChange> {
  return toDraftChange(campaign, await readChange(tx, campaign, body));
}

async function readChange(tx: Tx, campaign: CampaignRecord, body: unknown): Promise<CampaignChange> {
  const read = readCampaignChange(campaign.mode, body);
  const { topicIds = [], segment } = read.faults === undefined ? read.wanted : read.named;
  const faults = [
    ...(read.faults ?? []),
    ...(read.faults === undefined ? faultsOfAudience(campaign, read.wanted) : []),
    ...(read.faults === undefined ? faultsOfFollowers(withWanted(campaign, read.wanted)) : []),
    ...(await faultsOfReferences(tx, campaign.tenantId, {
      siteId: campaign.siteId,
      topicIds,
      segment: segment === campaign.segment ? undefined : segment,
    })),
  ];
  if (read.faults !== undefined || faults.length > 0) throw invalidFields(faults);
  return read.wanted;
}

function withWanted(campaign: CampaignRecord, wanted: CampaignChange) {
  const { topicIds = campaign.topicIds, followersOf = campaign.followersOf } = wanted;
  return { topicIds, followersOf };
}

/**
 * Returns the named fields as they are stored: null for an empty imageUrl, segment or followersOf, and a new canonical
 * form for a new URL.
 */
function toDraftChange(campaign: CampaignRecord, change: CampaignChange): DraftChange {
  const isExtra = (name: string) => name in extraFields;
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const named = Object.fromEntries(given.filter(([name]) => !isExtra(name))) as DraftChange;
  return {
    ...named,
    ...(given.some(([name]) => isExtra(name)) ? { extras: withExtras(campaign.extras, change) } : {}),
    ...(change.segment === undefined ? {} : { segment: change.segment || null }),
    ...(change.followersOf === undefined ? {} : { followersOf: change.followersOf || null }),
    ...(change.imageUrl === undefined ? {} : { imageUrl: change.imageUrl || null }),
    ...(change.url === undefined ? {} : { canonicalUrl: canonicalForm(change.url, change.url) }),
  };
}
