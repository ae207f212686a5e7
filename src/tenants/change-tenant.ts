import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { judgePlan } from "./plan.ts";
import { updateTenant } from "./queries.ts";
import type { Tenant } from "./tenant.ts";

/** Sets plan, pause or DPA of a tenant; what is not given stays. Throws `not_found`, or `validation_failed` for a plan. */
export async function changeTenant(
  app: App,
  input: { tenantId: string; plan?: string; paused?: boolean; dpaAccepted?: boolean },
): Promise<Tenant> {
  const { tenantId, ...change } = input;
  if (change.plan !== undefined) judgePlan(app.config.PLANS, change.plan);
  const tenant = await updateTenant(app.db, tenantId, change);
  if (tenant === undefined) throw appError("not_found", { message: `There is no tenant ${tenantId}.` });
  return tenant;
}
