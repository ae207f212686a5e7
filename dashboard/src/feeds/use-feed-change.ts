import { useQueryClient } from "@tanstack/react-query";
import { changeFeed, type FeedView } from "../api/feed-calls.ts";
import { useCurrentSite } from "../layout/session.tsx";

/** Returns a function that changes a feed, and then reads again what pages show. */
export function useFeedChange({ feedId }: FeedView) {
  const { tenantId } = useCurrentSite();
  const queries = useQueryClient();
  return async (change: Parameters<typeof changeFeed>[2]) => {
    await changeFeed(tenantId, feedId, change);
    await queries.invalidateQueries();
  };
}
