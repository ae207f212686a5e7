import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { readAudience } from "../campaigns/audience.ts";
import { type CampaignView, illegalMove, viewCampaign, warningsOfTopics } from "../campaigns/campaign.ts";
import { assertFits, readDraftChange } from "../campaigns/change-campaign.ts";
import { campaignOfTenant, updateDraft } from "../campaigns/queries.ts";
import { withCampaign } from "../campaigns/with-campaign.ts";
import { databaseNowMs } from "./planned-send-queries.ts";
import { assertOneHeadline } from "./schedule.ts";
import { checkSecondPerson } from "./second-person.ts";

/**
 * Changes a scheduled campaign until it is due, as `changeCampaign` changes a draft. The campaign stays scheduled. It
 * is sent either as it was before or as it is after. Refuses a member if the audience needs a second person, because an
 * approval covers only what was asked for. Throws `not_found`, `validation_failed`, `illegal_transition`,
 * `class_not_allowed` and `confirmation_required`.
 */
export async function changeScheduledCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; body: unknown },
): Promise<CampaignView> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const change = await readDraftChange(tx, campaign, input.body);
    await assertFits(tx, { ...campaign, ...change });
    assertOneHeadline({ ...campaign, ...change });
    const isOpen = campaign.status === "scheduled" && campaign.scheduledAt!.getTime() > (await databaseNowMs(tx));
    if (!isOpen)
      throw illegalMove(campaign, { to: "scheduled", done: "changed: it is due, or not scheduled any more" });
    await updateDraft(tx, campaign, change);
    const changed = (await campaignOfTenant(tx, actor.tenantId, campaign.id))!;
    const atMs = (changed.lateFrom ?? changed.scheduledAt!).getTime();
    await checkSecondPerson(tx, actor, changed, { to: await readAudience(tx, changed), atMs });
    const { siteId, id: subjectId } = campaign;
    const details = { fields: Object.keys(change).filter((field) => field !== "canonicalUrl") };
    await recordAuditEvent(tx, actor, "campaign.changed", { siteId, subjectId, details });
    return viewCampaign(changed, warningsOfTopics(change.topicIds));
  });
}
