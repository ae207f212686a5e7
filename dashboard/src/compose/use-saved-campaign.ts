import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type CampaignView, cancelCampaign, changeCampaign, changeScheduled, createCampaign } from "../api/calls.ts";
import { createGroup } from "../api/group-calls.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { changeTo, type Draft, draftAt, inputOf } from "./draft.ts";

/**
 * Saves a draft at the service: the first `save` creates its campaign, or one for each site that it goes to. Later ones
 * change them, or replace them if the mode, an URL or the sites have changed. `save` returns the campaigns as saved,
 * which are what would be sent, that of this site first.
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
    // Stored before the change: if the change fails, the next try continues with these campaigns.
    setSaved(campaigns);
    // Not before there are others: one that is refused would have replaced them by nothing.
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

/** Whether a draft can still become these campaigns by changes: same mode and sites, and in url mode the same URLs. */
function isOf(draft: Draft, siteId: string, saved: CampaignView[]): boolean {
  const sites = [siteId, ...(draft.alsoTo ?? []).map((site) => site.siteId)];
  const isKept = (one: CampaignView) =>
    sites.includes(one.siteId) &&
    one.mode === draft.mode &&
    (draft.mode === "manual" || draftAt(draft, one).url === one.url);
  return saved.length === sites.length && saved.every(isKept);
}
