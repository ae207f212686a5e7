import { type Actor, actorName } from "../actor.ts";
import type { App } from "../app.ts";
import { noteDeed } from "../audit/note-deed.ts";
import { inTenant, type Tx } from "../db/database.ts";
import { appError } from "../errors.ts";
import { parseInput } from "../input.ts";
import { agreementVersion } from "./agreement.ts";
import { changesBetween } from "./changes.ts";
import { judgePlan } from "./plan.ts";
import { tenantLocked, updateTenant } from "./queries.ts";
import { newTenant, type Tenant, type TenantChange } from "./tenant.ts";

/**
 * Sets name, plan, pause or DPA of the actor's tenant; what is not given stays. Throws `not_found`, or
 * `validation_failed` for a name or a plan.
 */
export async function changeTenant(app: App, actor: Actor, input: TenantChange): Promise<Tenant> {
  const { tenantId } = actor;
  if (input.plan !== undefined) judgePlan(app.config.PLANS, input.plan);
  const change = input.name === undefined ? input : { ...input, ...parseInput(newTenant, { name: input.name }) };
  return inTenant(app.db, tenantId, async (tx) => {
    const before = await tenantLocked(tx, tenantId);
    if (before === undefined) throw appError("not_found", { message: `There is no tenant ${tenantId}.` });
    const acceptance = { version: agreementVersion, by: actorName(actor) };
    const after = (await updateTenant(tx, tenantId, change, acceptance))!;
    await noteChange(tx, actor, before, after);
    return after;
  });
}

async function noteChange(tx: Tx, actor: Actor, before: Tenant, after: Tenant): Promise<void> {
  const isOtherwise = (name: "pausedAt" | "dpaAcceptedAt") => (before[name] === null) !== (after[name] === null);
  const changes = changesBetween(before, after, ["name", "plan"]);
  if (changes !== undefined) await noteDeed(tx, actor, "tenant.changed", { details: { changes } });
  if (isOtherwise("pausedAt")) await noteDeed(tx, actor, after.pausedAt ? "tenant.paused" : "tenant.resumed");
  if (isOtherwise("dpaAcceptedAt") || before.dpaVersion !== after.dpaVersion) {
    const details = { version: after.dpaVersion ?? before.dpaVersion };
    await noteDeed(tx, actor, after.dpaAcceptedAt ? "agreement.accepted" : "agreement.withdrawn", { details });
  }
}
