import { useQuery } from "@tanstack/react-query";
import { subscribers } from "../api/calls.ts";
import { usePlace } from "../frame/session.tsx";

/** Who can be reached at the site: by push service, by topic, and the test devices. */
export function useSubscribers() {
  const { tenantId, siteId } = usePlace();
  return useQuery({ queryKey: ["subscribers", siteId], queryFn: () => subscribers(tenantId, siteId) });
}
