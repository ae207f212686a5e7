import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type CampaignView, cancelCampaign, changeCampaign, changeScheduled, createCampaign } from "../api/calls.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { changeTo, type Draft, inputOf } from "./draft.ts";

/**
 * Saves a draft at the service: the first `save` creates the campaign, later ones change it, or replace it if its mode
 * or URL
 * has changed. `save` returns the campaign as saved, which is what would be sent.
 */
export function useSavedCampaign(first: CampaignView | null) {
  const { tenantId, siteId } = useCurrentSite();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(first);
  // A retry with the same text uses the same idempotency key, so that a lost answer does not create a second campaign.
  const attempt = useRef({ text: "", key: "" });

  const create = async (draft: Draft): Promise<CampaignView> => {
    const body = { ...inputOf(draft), siteId, forceSend: true } as const;
    const text = JSON.stringify(body);
    if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() };
    return createCampaign(tenantId, body, attempt.current.key);
  };

  const save = async (draft: Draft): Promise<CampaignView> => {
    const isOther = saved !== null && (saved.mode !== draft.mode || (draft.mode === "url" && saved.url !== draft.url));
    let campaign = saved === null || isOther ? await create(draft) : saved;
    // Stored before the change: if the change fails, the next try continues with this campaign.
    setSaved(campaign);
    // Not before there is another: one that is refused would have replaced it by nothing.
    if (isOther) await cancelCampaign(tenantId, saved.campaignId);
    const change = changeTo(draft, campaign);
    const write = campaign.status === "scheduled" ? changeScheduled : changeCampaign;
    if (Object.keys(change).length > 0) campaign = await write(tenantId, campaign.campaignId, change);
    setSaved(campaign);
    queries.setQueryData(["campaign", campaign.campaignId], campaign);
    void queries.invalidateQueries({ queryKey: ["campaigns"] });
    return campaign;
  };
  return { saved, save };
}
