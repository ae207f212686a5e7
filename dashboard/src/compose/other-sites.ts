import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { type AudienceSize, type Site, sites } from "../api/calls.ts";
import { type CurrentSite, useCanEdit, useCurrentSite, useSitesOfPublisher } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { audienceQuery } from "./audience-query.ts";
import type { Draft } from "./draft.ts";

export const sitesQuery = ({ tenantId }: CurrentSite) => ({
  queryKey: ["sites", tenantId],
  queryFn: () => sites(tenantId),
});

/** Returns the other sites of the publisher on which the member may send. Empty until they are read. */
export function useOtherSites(): Site[] {
  const currentSite = useCurrentSite();
  const canEdit = useCanEdit();
  const { data } = useQuery(sitesQuery(currentSite));
  return (data?.data ?? []).filter(({ siteId }) => siteId !== currentSite.siteId && canEdit(siteId));
}

/** The audience of a notification at a site. `size`: undefined while it is counted. */
export type SizeAtSite = { siteId: string; size: AudienceSize | undefined };

/**
 * Returns a draft's audience at each of its sites, this site first. At the other sites, the draft goes to all
 * readers.
 */
export function useSizes(draft: Draft): SizeAtSite[] {
  const currentSite = useCurrentSite();
  const others = (draft.alsoTo ?? []).map(({ siteId }) => ({ siteId, topicIds: [], class: draft.class }));
  const wanted = [{ ...draft, siteId: currentSite.siteId }, ...others];
  const found = useQueries({
    queries: wanted.map((of) => ({
      ...audienceQuery({ ...currentSite, siteId: of.siteId }, of),
      placeholderData: keepPreviousData,
    })),
  });
  return wanted.map(({ siteId }, i) => ({ siteId, size: found[i]?.data }));
}

/** Returns the sum of several audiences, or undefined while one of them is counted. */
export function sumOf(of: (AudienceSize | undefined)[]): { audience: number; exact: boolean } | undefined {
  const known = of.filter((size) => size !== undefined);
  if (known.length < of.length) return undefined;
  return {
    audience: known.reduce((sum, { audience }) => sum + audience, 0),
    exact: known.every(({ exact }) => exact),
  };
}

/** Returns whether the sends of a site are paused, by the gates that are shut. */
export const isPaused = (size: AudienceSize | undefined): boolean =>
  size?.shut.some(({ code }) => code === "send_paused") ?? false;

/** Returns a function that returns the name of a site of the publisher, by its id. */
export function useNamesOfSites(): (siteId: string) => string {
  const sites = useSitesOfPublisher();
  return (siteId) => sites.find((site) => site.siteId === siteId)?.name ?? words.components.removedSite;
}
