import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { type Role, type Start, start } from "../api/calls.ts";

export const startQuery = { queryKey: ["start"], queryFn: start, staleTime: 60_000 };

export function useStart() {
  return useQuery(startQuery);
}

type Tenant = Start["tenants"][number];

/** Where one is: a site, its tenant, and what one may do there. What is refused is refused by the service, too. */
export type Place = {
  tenantId: string;
  tenantName: string;
  role: Role;
  siteId: string;
  site: Tenant["sites"][number];
  canEdit: boolean;
  isOwner: boolean;
  /** Where readers and the CMS reach the service, without a slash at the end. */
  publicUrl: string;
};

export const PlaceContext = createContext<Place | null>(null);

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (place === null) throw new Error("only below a site");
  return place;
}

/** The place of a site among those of a person; undefined: it is none of theirs. */
export function placeOf({ tenants, publicUrl }: Start, siteId: string): Place | undefined {
  const tenant = tenants.find(({ sites }) => sites.some((site) => site.siteId === siteId));
  if (tenant === undefined) return undefined;
  const { tenantId, name: tenantName, role, sites } = tenant;
  return {
    ...{ tenantId, tenantName, role, siteId },
    site: sites.find((site) => site.siteId === siteId)!,
    canEdit: role !== "viewer",
    isOwner: role === "owner",
    publicUrl: (publicUrl ?? document.baseURI).replace(/\/$/, ""),
  };
}
