import { membershipsOfUser } from "../access/members/queries.ts";
import type { Role } from "../access/roles.ts";
import type { App } from "../app.ts";
import { sitesOfTenants, type WorkspaceSite } from "../tenants/sites/list-queries.ts";

/** A tenant with the role of the signed-in member and its sites. */
export type WorkspaceTenant = { tenantId: string; name: string; role: Role; sites: Omit<WorkspaceSite, "tenantId">[] };

/** Returns the tenants of a user with their sites, in the order in which the user joined them. */
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
