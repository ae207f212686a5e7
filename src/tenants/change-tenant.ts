import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { judgePlan } from "./plan.ts";
import { updateTenant } from "./queries.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Sets plan, pause or DPA of the actor's tenant; what is not given stays. Throws `not_found`, or `validation_failed`
 * for a plan.
 */
export async function changeTenant(
  app: App,
  actor: Actor,
  input: { plan?: string; paused?: boolean; dpaAccepted?: boolean },
): Promise<Tenant> {
  const { tenantId } = actor;
  if (input.plan !== undefined) judgePlan(app.config.PLANS, input.plan);
  const tenant = await updateTenant(app.db, tenantId, input);
  if (tenant === undefined) throw appError("not_found", { message: `There is no tenant ${tenantId}.` });
  return tenant;
}
