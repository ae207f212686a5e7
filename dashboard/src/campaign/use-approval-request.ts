import { useQuery } from "@tanstack/react-query";
import { type ApprovalRequest, approvalRequest, type CampaignView } from "../api/calls.ts";
import { useCurrentSite } from "../layout/session.tsx";

/** Returns the open approval request of a campaign. Null if there is none, or it is not known yet. */
export function useApprovalRequest({ campaignId }: CampaignView): ApprovalRequest | null {
  const { tenantId } = useCurrentSite();
  const query = useQuery({
    queryKey: ["approval-request", campaignId],
    queryFn: () => approvalRequest(tenantId, campaignId),
    // The service sends no event when the request expires, so the page reads it again then.
    refetchInterval: ({ state }) => msUntil(state.data?.request?.expiresAt),
  });
  return query.data?.request ?? null;
}

function msUntil(expiresAt: string | undefined): number | false {
  return expiresAt === undefined ? false : Math.max(5_000, Date.parse(expiresAt) - Date.now() + 1_000);
}
