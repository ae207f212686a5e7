import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { askToSend, type CampaignView, tenant } from "../api/calls.ts";
import { usePlace } from "../frame/session.tsx";

/**
 * From how many people on a send wants a second person: null for never, undefined while nobody knows. Where that cannot
 * be read, the service says it when it is asked to send.
 */
export function useConfirmAbove(): number | null | undefined {
  const { tenantId } = usePlace();
  const query = useQuery({ queryKey: ["tenant", tenantId], queryFn: () => tenant(tenantId) });
  return query.isError ? null : query.data?.confirmAbove;
}

/** Whether so many people are more than one person decides on. The service judges it again. */
export function wantsSecondPerson(confirmAbove: number | null | undefined, audience: number | undefined): boolean {
  return confirmAbove != null && audience !== undefined && audience > confirmAbove;
}

/** Asks for a second person, at once or for a time, and leads to the campaign, where the request stands. */
export function useAskToSend({ campaignId }: CampaignView, onDone: () => void) {
  const { tenantId, siteId } = usePlace();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (scheduleAt: string | null) => askToSend(tenantId, campaignId, scheduleAt),
    async onSuccess() {
      notifications.show({ color: "green", message: "It waits for a second person. Nothing was sent yet." });
      await queries.invalidateQueries();
      onDone();
      await navigate({ to: "/sites/$siteId/campaigns/$campaignId", params: { siteId, campaignId } });
    },
  });
}
