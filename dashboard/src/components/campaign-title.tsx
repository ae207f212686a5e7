import type { CampaignView } from "../api/calls.ts";

/** The title of a campaign. `bdi` isolates its text direction from the text around it. */
export function CampaignTitle({ campaign }: { campaign: Pick<CampaignView, "title" | "url"> }) {
  return <bdi>{campaign.title ?? campaign.url}</bdi>;
}
