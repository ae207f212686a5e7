import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type CampaignView, cancelCampaign, changeCampaign, createCampaign } from "../api/calls.ts";
import { usePlace } from "../frame/session.tsx";
import { changeTo, type Draft } from "./draft.ts";

/**
 * Keeps a draft at the service: made when it is first needed, changed afterwards, and made anew where its address is
 * another. `save` returns the campaign as the service has it: what is sent is that.
 */
export function useSaved(first: CampaignView | null) {
  const { tenantId, siteId } = usePlace();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(first);
  // The same text again after a lost answer is the same campaign.
  const attempt = useRef({ text: "", key: "" });

  const create = async (draft: Draft): Promise<CampaignView> => {
    const body = { ...draft, siteId, forceSend: true } as const;
    const text = JSON.stringify(body);
    if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() };
    return createCampaign(tenantId, body, attempt.current.key);
  };

  const save = async (draft: Draft): Promise<CampaignView> => {
    const isOther = saved !== null && (saved.mode !== draft.mode || (draft.mode === "url" && saved.url !== draft.url));
    if (isOther) await cancelCampaign(tenantId, saved.campaignId);
    let campaign = saved === null || isOther ? await create(draft) : saved;
    // Kept before it is changed: should the change fail, the next try finds it.
    setSaved(campaign);
    const change = changeTo(draft, campaign);
    if (Object.keys(change).length > 0) campaign = await changeCampaign(tenantId, campaign.campaignId, change);
    setSaved(campaign);
    void queries.invalidateQueries({ queryKey: ["campaigns"] });
    return campaign;
  };
  return { saved, save };
}
