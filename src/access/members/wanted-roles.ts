import { z } from "zod";
import type { Executor } from "../../db/pool.ts";
import { invalidFields } from "../../errors.ts";
import { expects, uuid } from "../../input.ts";
import { sitesOfTenants } from "../../tenants/sites/list-queries.ts";
import { type Roles, rolesOfSites } from "../roles.ts";

export const memberRole = z.enum(["owner", "editor", "viewer"], "must be owner, editor or viewer");

/** The fields of roles in a body: `role` for the whole tenant, absent or null for none; `siteRoles` beside it. */
export const rolesFields = {
  role: memberRole.optional(),
  siteRoles: z
    .array(
      z.strictObject(
        { siteId: uuid, role: z.enum(rolesOfSites, "must be editor or viewer") },
        expects("an object with siteId and role"),
      ),
      "must be a list of sites, each with a role",
    )
    .default([]),
};

type Fields = z.output<z.ZodObject<typeof rolesFields>>;

/** The roles that a body asks for, with what the audit log says of them. */
export type WantedRoles = Roles & { details: Record<string, unknown> };

/**
 * Reads the roles that an owner gives. Throws `validation_failed` for a site that the tenant does not have, or has twice; for
 * a role on a site that adds nothing to the role for the whole tenant; and for no role at all.
 */
export async function readRoles(on: Executor, tenantId: string, fields: Fields): Promise<WantedRoles> {
  const { role = null, siteRoles } = fields;
  if (role === null && siteRoles.length === 0) {
    throw invalidFields([{ path: "/role", message: "is required, or siteRoles must name a site" }]);
  }
  const names = new Map((await sitesOfTenants(on, [tenantId])).map(({ siteId, name }) => [siteId, name]));
  const faults = siteRoles.flatMap((one, at) => {
    const message = faultOf({ role, siteRoles }, at, names.has(one.siteId));
    return message === undefined ? [] : [{ path: `/siteRoles/${at}`, message }];
  });
  if (faults.length > 0) throw invalidFields(faults);
  const sites = siteRoles.map((one) => `${names.get(one.siteId)}: ${one.role}`);
  return { role, siteRoles, details: sites.length === 0 ? { role } : { role, siteRoles: sites } };
}

function faultOf({ role, siteRoles }: Roles, at: number, isKnown: boolean): string | undefined {
  const { siteId, role: onSite } = siteRoles[at]!;
  if (!isKnown) return "is no site of this tenant";
  if (siteRoles.findIndex((one) => one.siteId === siteId) < at) return "names a site again";
  if (role === null || (role === "viewer" && onSite === "editor")) return undefined;
  return `adds nothing to the role ${role}`;
}
