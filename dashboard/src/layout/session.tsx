import { type QueryClient, useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { type Role, type Start, start } from "../api/calls.ts";

/** The key of mutations that end all sessions and begin a new one. */
export const newSessionKey = ["new-session"];

/**
 * Reads the start. Waits for the mutations with `newSessionKey`, because a read before the cookie of the new session
 * would find the user signed out.
 */
export const startQuery = {
  queryKey: ["start"],
  queryFn: async ({ client }: { client: QueryClient }) => {
    await newSessionIsHere(client);
    return start();
  },
  staleTime: 60_000,
};

function newSessionIsHere(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const stop = client.getMutationCache().subscribe(look);
    function look() {
      if (client.isMutating({ mutationKey: newSessionKey }) > 0) return;
      stop();
      resolve();
    }
    look();
  });
}

export function useStart() {
  return useQuery(startQuery);
}

type Tenant = Start["tenants"][number];

/**
 * The site of the current page, its tenant, and what the user may do there. The service checks every permission
 * again.
 */
export type CurrentSite = {
  tenantId: string;
  tenantName: string;
  /** The user's role on this site. */
  role: Role;
  /** Whether the user has a role for the whole publisher, not only for single sites. */
  hasPublisherRole: boolean;
  siteId: string;
  site: Tenant["sites"][number];
  canEdit: boolean;
  isOwner: boolean;
  /** The URL at which readers and the CMS reach the service, without a trailing slash. */
  publicUrl: string;
};

export const CurrentSiteContext = createContext<CurrentSite | null>(null);

/** Returns the current site. Throws outside the pages of a site. */
export function useCurrentSite(): CurrentSite {
  const currentSite = useContext(CurrentSiteContext);
  if (currentSite === null) throw new Error("useCurrentSite is only for the pages of a site");
  return currentSite;
}

/** Returns the sites of the current publisher that the user sees, by name, with the user's role on each. */
export function useSitesOfPublisher() {
  const { tenantId } = useCurrentSite();
  return useStart().data?.tenants.find((tenant) => tenant.tenantId === tenantId)?.sites ?? [];
}

/**
 * Returns a function that says whether the user may edit and send at a site of the current publisher, by its id. A role
 * for the whole publisher also holds at removed sites, which are not among its sites.
 */
export function useCanEdit(): (siteId: string) => boolean {
  const { tenantId } = useCurrentSite();
  const tenant = useStart().data?.tenants.find((one) => one.tenantId === tenantId);
  const isEditor = (role: Role | null | undefined) => role === "owner" || role === "editor";
  return (siteId) => isEditor(tenant?.role) || isEditor(tenant?.sites.find((site) => site.siteId === siteId)?.role);
}

/** Finds a site among the user's sites. Returns undefined if the user has no such site. */
export function currentSiteOf({ tenants, publicUrl }: Start, siteId: string): CurrentSite | undefined {
  const tenant = tenants.find(({ sites }) => sites.some((site) => site.siteId === siteId));
  if (tenant === undefined) return undefined;
  const { tenantId, name: tenantName, sites } = tenant;
  const site = sites.find((one) => one.siteId === siteId)!;
  const { role } = site;
  return {
    tenantId,
    tenantName,
    role,
    hasPublisherRole: tenant.role !== null,
    siteId,
    site,
    canEdit: role !== "viewer",
    isOwner: role === "owner",
    publicUrl: (publicUrl ?? document.baseURI).replace(/\/$/, ""),
  };
}
