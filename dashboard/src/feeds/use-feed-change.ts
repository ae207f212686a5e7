import { useQueryClient } from "@tanstack/react-query";
import { changeFeed, type FeedView } from "../api/feed-calls.ts";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";

/** Returns a function that changes a feed, and then reads again what pages show of it. */
export function useFeedChange({ feedId }: FeedView) {
  const { tenantId } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  return async (change: Parameters<typeof changeFeed>[2]) => {
    await withRecentSignIn(() => changeFeed(tenantId, feedId, change));
    await queries.invalidateQueries();
  };
}
