import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { followedKeys } from "../api/follow-calls.ts";
import { useCurrentSite } from "../layout/session.tsx";

/** Queries what the site's readers follow, the most followed first. `search`: only ids that contain it. */
export function useFollowedKeys(search: string) {
  const { tenantId, siteId } = useCurrentSite();
  return useQuery({
    queryKey: ["followed", siteId, search],
    queryFn: () => followedKeys(tenantId, siteId, search),
    placeholderData: keepPreviousData,
  });
}
