import type { SignedIn } from "../access/accounts/sessions.ts";
import { type MissingProof, missingProof } from "../access/members/missing-proof.ts";
import type { Membership } from "../access/members/queries.ts";
import { type Role, roleOn } from "../access/roles.ts";
import type { App } from "../app.ts";
import { sitesOfTenants, type WorkspaceSite } from "../tenants/sites/list-queries.ts";

/**
 * A tenant with the role of the signed-in member, and the sites that they see, each with their role there. `role`:
 * null for a member of single sites only. `missing`: what the session lacks to work there; if it lacks anything,
 * `sites` is empty.
 */
export type WorkspaceTenant = {
  tenantId: string;
  name: string;
  role: Role | null;
  missing: MissingProof | null;
  sites: (Omit<WorkspaceSite, "tenantId"> & { role: Role })[];
};

/** Returns the tenants of a user with their sites. The tenants are in the order in which the user joined them. */
export async function readWorkspace(app: App, { tenants, proof }: SignedIn): Promise<WorkspaceTenant[]> {
  const missingIn = (tenant: Membership) => missingProof(tenant, proof);
  const open = tenants.filter((tenant) => missingIn(tenant) === null);
  const sites = await sitesOfTenants(
    app.db,
    open.map(({ tenantId }) => tenantId),
  );
  return tenants.map((tenant) => ({
    tenantId: tenant.tenantId,
    name: tenant.name,
    role: tenant.role,
    missing: missingIn(tenant),
    sites: sites.flatMap(({ tenantId, ...site }) => {
      const role = tenantId === tenant.tenantId ? roleOn(tenant, site.siteId) : null;
      return role === null ? [] : [{ ...site, role }];
    }),
  }));
}
