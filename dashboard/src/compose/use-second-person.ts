import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { askToSend, type CampaignView, type Schedule, site } from "../api/calls.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/**
 * Returns the audience above which a send needs a second person: null for never, undefined while it is loading. If it
 * cannot be read, the result is null, and the service refuses the send if needed.
 */
export function useConfirmAbove(): number | null | undefined {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({ queryKey: ["site", siteId], queryFn: () => site(tenantId, siteId) });
  return query.isError ? null : query.data?.confirmAbove;
}

/** Whether a send needs a second person. `alone`: of an audience's size. The service checks it again. */
export function wantsSecondPerson(confirmAbove: number | null | undefined, alone: number | undefined): boolean {
  return confirmAbove != null && alone !== undefined && alone > confirmAbove;
}

/** Creates an approval request, for now or for a scheduled time, then opens the campaign's page, which shows it. */
export function useAskToSend({ campaignId }: CampaignView, onDone: () => void) {
  const { tenantId, siteId } = useCurrentSite();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (schedule: Schedule | null) => askToSend(tenantId, campaignId, schedule),
    async onSuccess() {
      notifications.show({ color: "green", message: words.compose.itWaits });
      await queries.invalidateQueries();
      onDone();
      await navigate({ to: "/sites/$siteId/campaigns/$campaignId", params: { siteId, campaignId } });
    },
  });
}
