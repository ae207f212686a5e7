import { useQuery } from "@tanstack/react-query";
import { overview } from "../api/calls.ts";
import { classRulesQuery } from "../components/class-names.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { audienceQuery } from "./audience-query.ts";
import { emptyDraft } from "./draft.ts";
import { autosavedDraftsQuery } from "./drafts.tsx";
import { newestStoriesQuery } from "./newest-stories.tsx";
import { sitesQuery } from "./other-sites.ts";
import { useFollowedKeys } from "./use-followed-keys.ts";
import { useSegments } from "./use-segments.ts";
import { useSubscribers } from "./use-subscribers.ts";

/** Returns the query of a site's overview, which has its last sends. */
export const overviewQuery = ({ tenantId, siteId }: { tenantId: string; siteId: string }) => ({
  queryKey: ["overview", siteId],
  queryFn: () => overview(tenantId, siteId),
});

/** Reads everything that Compose shows of the site for any draft. */
export function useSiteAnswers() {
  const currentSite = useCurrentSite();
  // Nothing waits for these queries. Most drafts begin empty.
  useFollowedKeys("");
  useQuery(audienceQuery(currentSite, emptyDraft));
  return [
    ...[useQuery(newestStoriesQuery(currentSite)), useQuery(overviewQuery(currentSite))],
    ...[useQuery(classRulesQuery(currentSite)), useQuery(sitesQuery(currentSite)), useSubscribers(), useSegments()],
  ];
}

/**
 * Returns whether everything that Compose shows of the site has come, or has failed once. Later answers would move
 * the buttons that a person is about to press.
 */
export function useFirstAnswers(draft: Parameters<typeof audienceQuery>[1]): boolean {
  const currentSite = useCurrentSite();
  const ofDraft = [useQuery(audienceQuery(currentSite, draft)), useQuery(autosavedDraftsQuery(currentSite))];
  return [...useSiteAnswers(), ...ofDraft].every(({ isPending, failureCount }) => !isPending || failureCount > 0);
}
