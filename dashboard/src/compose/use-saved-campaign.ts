import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type CampaignView, cancelCampaign, changeCampaign, changeScheduled, createCampaign } from "../api/calls.ts";
import { createGroup } from "../api/group-calls.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { changeTo, type Draft, draftAt, inputOf } from "./draft.ts";

/**
 * Saves a draft at the service. The first `save` creates its campaign, or a campaign for each of its sites. Later
 * saves change these campaigns. They replace them if the mode, a URL or the sites have changed. `save` returns the
 * saved campaigns, which are what would be sent, that of this site first.
 */
export function useSavedCampaign(first: CampaignView[]) {
  const { tenantId, siteId } = useCurrentSite();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(first);
  // A retry with the same text uses the same idempotency key, so that a lost answer does not create a second campaign.
  const attempt = useRef({ text: "", key: "" });

  const create = async (draft: Draft): Promise<CampaignView[]> => {
    const { alsoTo = [] } = draft;
    const body = { ...inputOf(draft), siteId, forceSend: true } as const;
    const text = JSON.stringify([body, alsoTo]);
    if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() };
    const { key } = attempt.current;
    if (alsoTo.length === 0) return [await createCampaign(tenantId, body, key)];
    const { siteId: _, topicIds, segment, followersOf, corrects: __, ...shared } = body;
    const others = alsoTo.map((site) => ({ siteId: site.siteId, ...(site.url && { url: site.url }) }));
    const sites = [{ siteId, topicIds, segment, followersOf }, ...others];
    return (await createGroup(tenantId, { ...shared, sites }, key)).campaigns;
  };

  const save = async (draft: Draft): Promise<CampaignView[]> => {
    const isOther = saved.length > 0 && !isOf(draft, siteId, saved);
    let campaigns = saved.length === 0 || isOther ? await create(draft) : saved;
    // They are stored before the change, so that after a failed change the next try continues with these campaigns.
    setSaved(campaigns);
    // The old campaigns are cancelled only after the new ones exist. If the creation is refused, the old ones stay.
    if (isOther) for (const { campaignId } of saved) await cancelCampaign(tenantId, campaignId);
    for (const campaign of campaigns) {
      const change = changeTo(draftAt(draft, campaign), campaign);
      if (Object.keys(change).length === 0) continue;
      const write = campaign.status === "scheduled" ? changeScheduled : changeCampaign;
      const changed = await write(tenantId, campaign.campaignId, change);
      campaigns = campaigns.map((one) => (one.campaignId === changed.campaignId ? changed : one));
      setSaved(campaigns);
    }
    for (const campaign of campaigns) queries.setQueryData(["campaign", campaign.campaignId], campaign);
    void queries.invalidateQueries({ queryKey: ["campaigns"] });
    return campaigns;
  };
  return { saved, save };
}

/**
 * Returns whether changes can make these campaigns equal to the draft: the mode and sites are the same, and in url
 * mode the URLs.
 */
function isOf(draft: Draft, siteId: string, saved: CampaignView[]): boolean {
  const sites = [siteId, ...(draft.alsoTo ?? []).map((site) => site.siteId)];
  const isKept = (one: CampaignView) =>
    sites.includes(one.siteId) &&
    one.mode === draft.mode &&
    (draft.mode === "manual" || draftAt(draft, one).url === one.url);
  return saved.length === sites.length && saved.every(isKept);
}
