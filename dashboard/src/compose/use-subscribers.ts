import { useQuery } from "@tanstack/react-query";
import { subscribers } from "../api/calls.ts";
import { useCurrentSite } from "../layout/session.tsx";

/** Queries the site's subscribers by push service and topic, and its test devices. */
export function useSubscribers() {
  const { tenantId, siteId } = useCurrentSite();
  return useQuery({ queryKey: ["subscribers", siteId], queryFn: () => subscribers(tenantId, siteId) });
}
