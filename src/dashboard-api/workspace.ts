import { membershipsOfUser } from "../access/members/queries.ts";
import type { Role } from "../access/roles.ts";
import type { App } from "../app.ts";
import { sitesOfTenants, type WorkspaceSite } from "../tenants/sites/queries.ts";

/** A tenant as one of its members works in it. */
export type WorkspaceTenant = { tenantId: string; name: string; role: Role; sites: Omit<WorkspaceSite, "tenantId">[] };

/** What the dashboard needs to know first: the tenants of a person with their sites, the first one joined first. */
export async function readWorkspace(app: App, userId: string): Promise<WorkspaceTenant[]> {
  const memberships = await membershipsOfUser(app.db, userId);
  const sites = await sitesOfTenants(
    app.db,
    memberships.map(({ tenantId }) => tenantId),
  );
  return memberships.map((membership) => ({
    ...membership,
    sites: sites.filter(({ tenantId }) => tenantId === membership.tenantId).map(({ tenantId: _, ...site }) => site),
  }));
}
