import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { Tx } from "../db/pool.ts";
import { canonicalForm } from "../decision/story-url.ts";
import { invalidFields } from "../errors.ts";
import { withdrawRequests } from "./approval-requests/queries.ts";
import { assertNoSecondPersonNeeded } from "./approval-requests/second-person.ts";
import { readAudience } from "./audience.ts";
import { type CampaignRecord, type CampaignView, illegalMove, viewCampaign, warningsOfTopics } from "./campaign.ts";
import { type CampaignChange, readCampaignChange } from "./campaign-input.ts";
import { assertPayloadFits, faultsOfReferences } from "./campaign-rules.ts";
import { faultsOfAudience } from "./correction.ts";
import { assertVariantsFit } from "./headline-variants.ts";
import { assertOneHeadline } from "./local-time-delivery.ts";
import { extraFields, withExtras } from "./nudge-extras.ts";
import { campaignOfTenant, type DraftChange, updateDraft, updateScheduled } from "./queries.ts";
import { scheduledMomentMs } from "./schedule-queries.ts";
import { withCampaign } from "./with-campaign.ts";

/**
 * Changes the fields of a draft that `body` names, by the rules of a creation. The decision is not repeated. Returns
 * the campaign. Throws `not_found`, `validation_failed` and `illegal_transition`.
 */
export async function changeCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; body: unknown },
): Promise<CampaignView> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const change = toDraftChange(campaign, await readChange(tx, campaign, input.body));
    if (campaign.status === "draft") await assertFits(tx, { ...campaign, ...change });
    if (!(await updateDraft(tx, campaign, change))) throw illegalMove(campaign, { to: "draft", done: "changed" });
    // A second person must approve what was asked for, not what it was changed into.
    await withdrawRequests(tx, campaign.id, actor.kind === "user" ? actor.userId : null);
    return viewCampaign((await campaignOfTenant(tx, actor.tenantId, campaign.id))!, warningsOfTopics(change.topicIds));
  });
}

/**
 * Changes a scheduled campaign, as `changeCampaign` does a draft, until it is due. It stays scheduled, and is sent as
 * it was before or as it is after. Where the audience needs a second person, a member is refused: an approval covers
 * what was asked for. Throws `not_found`, `validation_failed`, `illegal_transition` and `confirmation_required`.
 */
export async function changeScheduledCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; body: unknown },
): Promise<CampaignView> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const change = toDraftChange(campaign, await readChange(tx, campaign, input.body));
    await assertFits(tx, { ...campaign, ...change });
    if (!(await updateScheduled(tx, campaign, change))) {
      throw illegalMove(campaign, { to: "scheduled", done: "changed: it is due, or not scheduled any more" });
    }
    const changed = (await campaignOfTenant(tx, actor.tenantId, campaign.id))!;
    const to = await readAudience(tx, changed);
    await assertNoSecondPersonNeeded(tx, actor, changed, { to, atMs: await scheduledMomentMs(tx, campaign) });
    await withdrawRequests(tx, campaign.id, actor.kind === "user" ? actor.userId : null);
    const { siteId, id: subjectId } = campaign;
    const details = { fields: Object.keys(change).filter((field) => field !== "canonicalUrl") };
    await recordAuditEvent(tx, actor, "campaign.changed", { siteId, subjectId, details });
    return viewCampaign(changed, warningsOfTopics(change.topicIds));
  });
}

/** Throws `validation_failed` where the campaign as it would be cannot be sent. */
async function assertFits(tx: Tx, campaign: CampaignRecord): Promise<void> {
  assertPayloadFits(campaign);
  await assertVariantsFit(tx, campaign);
  assertOneHeadline(campaign);
}

async function readChange(tx: Tx, campaign: CampaignRecord, body: unknown): Promise<CampaignChange> {
  const read = readCampaignChange(campaign.mode, body);
  const { topicIds = [], segment } = read.faults === undefined ? read.wanted : read.named;
  const faults = [
    ...(read.faults ?? []),
    ...(read.faults === undefined ? faultsOfAudience(campaign, read.wanted) : []),
    ...(await faultsOfReferences(tx, campaign.tenantId, {
      siteId: campaign.siteId,
      topicIds,
      segment: segment === campaign.segment ? undefined : segment,
    })),
  ];
  if (read.faults !== undefined || faults.length > 0) throw invalidFields(faults);
  return read.wanted;
}

/**
 * The named fields as they are stored: an empty imageUrl or segment is null, and a new URL has a new canonical form.
 */
function toDraftChange(campaign: CampaignRecord, change: CampaignChange): DraftChange {
  const isExtra = (name: string) => name in extraFields;
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const named = Object.fromEntries(given.filter(([name]) => !isExtra(name))) as DraftChange;
  return {
    ...named,
    ...(given.some(([name]) => isExtra(name)) ? { extras: withExtras(campaign.extras, change) } : {}),
    ...(change.segment === undefined ? {} : { segment: change.segment || null }),
    ...(change.imageUrl === undefined ? {} : { imageUrl: change.imageUrl || null }),
    ...(change.url === undefined ? {} : { canonicalUrl: canonicalForm(change.url, change.url) }),
  };
}
