import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant } from "../../db/pool.ts";
import { invalidFields } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { expects, parseInput } from "../../input.ts";
import { tenantLocked } from "../../tenants/queries.ts";
import { memberRole } from "../members/wanted-roles.ts";
import { type ProviderRole, providerRolesOfTenant, storeProviderRole } from "./queries.ts";

/** The most groups with a role in a tenant. */
export const maxGroups = 100;

const ruleInput = z.strictObject(
  {
    group: z
      .string()
      .min(1, zodText(faults.empty()))
      .max(200, zodText(faults.too_long({ most: 200 })))
      .optional(),
    role: memberRole.optional(),
  },
  expects("an object"),
);

/** Returns the roles that the actor's tenant gives to people of the provider, by group. */
export function readProviderRoles(app: App, { tenantId }: Actor): Promise<ProviderRole[]> {
  return providerRolesOfTenant(app.db, tenantId);
}

/**
 * Sets with `{ group, role }` the role that the people of a group at the provider get in the actor's tenant. Without
 * `group`, the role is for everybody there. Without `role`, the group loses its role. Only the operator may call
 * this, because the provider's people are not the tenant's. The change applies at the next sign-in, and to sessions
 * within 15 minutes. Returns all roles. Throws `validation_failed`.
 */
export async function changeProviderRole(app: App, actor: Actor, input: { rule: unknown }): Promise<ProviderRole[]> {
  const { tenantId } = actor;
  const { group = null, role = null } = parseInput(ruleInput, input.rule);
  return inTenant(app.db, tenantId, async (tx) => {
    await tenantLocked(tx, tenantId);
    await storeProviderRole(tx, { tenantId, group, role });
    const roles = await providerRolesOfTenant(tx, tenantId);
    if (roles.length > maxGroups) {
      throw invalidFields([fault("/group", faults.too_many_rules({ most: maxGroups }))]);
    }
    await recordAuditEvent(tx, actor, "provider.role_changed", { details: { group, role } });
    return roles;
  });
}
