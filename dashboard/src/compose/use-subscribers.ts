import { useQuery } from "@tanstack/react-query";
import { subscribers } from "../api/calls.ts";
import { useCurrentSite } from "../layout/session.tsx";

/** The most topics that are shown at once. If there are more, a person searches for names. */
export const shownTopics = 12;

/** Queries the site's subscribers by push service and topic, and its test devices. */
export function useSubscribers() {
  const { tenantId, siteId } = useCurrentSite();
  return useQuery({ queryKey: ["subscribers", siteId], queryFn: () => subscribers(tenantId, siteId) });
}
