import type { App } from "../app.ts";
import type { Executor } from "../db/pool.ts";
import { newId } from "../ids.ts";
import { parseInput } from "../input.ts";
import { agreementVersion } from "./agreement.ts";
import { judgePlan } from "./plan.ts";
import { insertTenant } from "./queries.ts";
import { newTenant } from "./tenant.ts";

/**
 * Makes a tenant, on the first plan of PLANS unless another is named. Returns its id. Throws `validation_failed` for a
 * bad name and for a plan that PLANS does not name.
 */
export async function createTenant(
  app: App,
  on: Executor,
  input: { name: string; plan?: string | undefined; dpaAccepted: boolean },
): Promise<{ tenantId: string }> {
  const plan = judgePlan(app.config.PLANS, input.plan);
  const { name } = parseInput(newTenant, input);
  const tenantId = newId();
  await insertTenant(on, { id: tenantId, name, plan, dpaVersion: input.dpaAccepted ? agreementVersion : null });
  return { tenantId };
}
