import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { askToSend, type CampaignView, type Schedule, site } from "../api/calls.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/**
 * Returns the audience above which a send needs a second person. Null: never. Undefined: it is loading. If it cannot
 * be read, it is null, and the service refuses the send if necessary.
 */
export function useConfirmAbove(): number | null | undefined {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({ queryKey: ["site", siteId], queryFn: () => site(tenantId, siteId) });
  return query.isError ? null : query.data?.confirmAbove;
}

/**
 * Returns whether a send needs a second person. `alone`: the audience size that counts for this. The service checks
 * it again.
 */
export function wantsSecondPerson(confirmAbove: number | null | undefined, alone: number | undefined): boolean {
  return confirmAbove != null && alone !== undefined && alone > confirmAbove;
}

/**
 * Creates an approval request for a send, now or at a scheduled time. Then opens the page of the campaign, which
 * shows the request.
 */
export function useAskToSend({ campaignId }: CampaignView, onDone: () => void) {
  const { tenantId, siteId } = useCurrentSite();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (schedule: Schedule | null) => askToSend(tenantId, campaignId, schedule),
    async onSuccess() {
      notifications.show({ color: "green", message: words.compose.waitsForSecondPerson });
      await queries.invalidateQueries();
      onDone();
      await navigate({ to: "/sites/$siteId/campaigns/$campaignId", params: { siteId, campaignId } });
    },
  });
}
