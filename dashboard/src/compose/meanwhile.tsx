import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type CampaignView, campaign as readCampaign } from "../api/calls.ts";
import { wordsOfMeanwhile } from "../api/refusals.ts";
import { Icon } from "../components/icon.tsx";
import { isSendable } from "../components/status-badge.tsx";
import { useCurrentSite } from "../layout/session.tsx";

/** Returns what others have done with a campaign since it was `seen`, or undefined. */
export function useMeanwhile(seen: CampaignView): string | undefined {
  const { tenantId } = useCurrentSite();
  const { campaignId } = seen;
  const { data: now = seen } = useQuery({
    queryKey: ["campaign", campaignId],
    queryFn: () => readCampaign(tenantId, campaignId),
  });
  if (!isSendable(now.status)) return wordsOfMeanwhile(now.status);
  return now.updatedAt > seen.updatedAt ? wordsOfMeanwhile("changed") : undefined;
}

/** A note that says what others have done meanwhile. */
export function Meanwhile({ what }: { what: string }) {
  return (
    <Alert color="yellow" variant="light" role="alert" icon={<Icon name="warning" />} data-testid="meanwhile">
      {what}
    </Alert>
  );
}
