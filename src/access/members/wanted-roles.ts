import { z } from "zod";
import type { Executor } from "../../db/pool.ts";
import { invalidFields } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { expects, oneOf, uuid } from "../../input.ts";
import type { Message } from "../../messages.ts";
import { sitesOfTenants } from "../../tenants/sites/list-queries.ts";
import { type Role, type Roles, rolesOfSites, type SiteRole } from "../roles.ts";

/** The most roles for single sites that a member can have. */
export const maxSiteRoles = 1_000;

export const memberRole = oneOf(["owner", "editor", "viewer"]);

/**
 * The fields of a body that hold roles. `role`: for the whole tenant; absent or null for none. `siteRoles`: in
 * addition to `role`.
 */
export const rolesFields = {
  role: memberRole.optional(),
  siteRoles: z
    .array(
      z.strictObject({ siteId: uuid, role: oneOf(rolesOfSites) }, expects("an object with siteId and role")),
      zodText(faults.wrong_type({ type: "a list of sites, each with a role" })),
    )
    .max(maxSiteRoles, zodText(faults.too_many_roles({ most: maxSiteRoles })))
    .default([]),
};

type Fields = z.output<z.ZodObject<typeof rolesFields>>;

/** The roles that a body asks for. `details`: what the audit log says of them. */
export type WantedRoles = Roles & { details: Record<string, unknown> };

/**
 * Returns the roles that an owner gives. Throws `validation_failed` for a site that is unknown or named twice, for a
 * role on a site that is not higher than the role for the whole tenant, and if there is no role at all.
 */
export async function readRoles(on: Executor, tenantId: string, fields: Fields): Promise<WantedRoles> {
  const { role = null, siteRoles } = fields;
  if (role === null && siteRoles.length === 0) {
    throw invalidFields([fault("/siteRoles", faults.no_role())]);
  }
  const named = await nameSiteRoles(on, tenantId, siteRoles);
  const known = new Set(named.map(({ siteId }) => siteId));
  const wrong = siteRoles.flatMap((one, at) => {
    const message = faultOf({ role, siteRoles }, at, known.has(one.siteId));
    return message === undefined ? [] : [fault(`/siteRoles/${at}`, message)];
  });
  if (wrong.length > 0) throw invalidFields(wrong);
  return { role, siteRoles, details: detailsOfRoles(role, named) };
}

export type NamedSiteRole = SiteRole & { name: string };

/** Returns roles for single sites with the names of the sites. Leaves out sites that are gone. */
export async function nameSiteRoles(on: Executor, tenantId: string, siteRoles: SiteRole[]): Promise<NamedSiteRole[]> {
  if (siteRoles.length === 0) return [];
  const names = new Map((await sitesOfTenants(on, [tenantId])).map(({ siteId, name }) => [siteId, name]));
  return siteRoles.flatMap((one) => {
    const name = names.get(one.siteId);
    return name === undefined ? [] : [{ ...one, name }];
  });
}

/** Returns what the audit log says of roles. */
export function detailsOfRoles(role: Role | null, named: NamedSiteRole[]): Record<string, unknown> {
  const siteRoles = named.map((one) => `${one.name}: ${one.role}`);
  return siteRoles.length === 0 ? { role } : { role, siteRoles };
}

function faultOf({ role, siteRoles }: Roles, at: number, isKnown: boolean): Message | undefined {
  const { siteId, role: onSite } = siteRoles[at]!;
  if (!isKnown) return faults.unknown_site();
  if (siteRoles.findIndex((one) => one.siteId === siteId) < at) return faults.site_role_twice();
  if (role === null || (role === "viewer" && onSite === "editor")) return undefined;
  return faults.site_role_not_higher();
}
