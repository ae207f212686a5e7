import type { CampaignView } from "../api/calls.ts";

/** Titles are strangers' texts: whatever direction they have, what stands around them keeps its own. */
export function CampaignTitle({ campaign }: { campaign: Pick<CampaignView, "title" | "url"> }) {
  return <bdi>{campaign.title ?? campaign.url}</bdi>;
}
