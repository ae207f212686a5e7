import { z } from "zod";
import { type Actor, actorName } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { parseInput } from "../input.ts";
import { agreementVersion } from "./agreement.ts";
import { changesBetween } from "./changes.ts";
import { judgePlan } from "./plan.ts";
import { tenantLocked, updateTenant } from "./queries.ts";
import { confirmAbove, newTenant, type Tenant, type TenantChange } from "./tenant.ts";

const changeable = z.object({ name: newTenant.shape.name.optional(), confirmAbove: confirmAbove.optional() });

/**
 * Sets name, plan, pause, DPA or the number of people from which on two decide, of the actor's tenant; what is not
 * given stays. Throws `not_found`, or `validation_failed` for a name, a plan or a number.
 */
export async function changeTenant(app: App, actor: Actor, input: TenantChange): Promise<Tenant> {
  const { tenantId } = actor;
  if (input.plan !== undefined) judgePlan(app.config.PLANS, input.plan);
  const change = { ...input, ...parseInput(changeable, definedOf(input)) };
  return inTenant(app.db, tenantId, async (tx) => {
    const before = await tenantLocked(tx, tenantId);
    if (before === undefined) throw appError("not_found", { message: `There is no tenant ${tenantId}.` });
    const acceptance = { version: agreementVersion, by: actorName(actor) };
    const after = (await updateTenant(tx, tenantId, change, acceptance))!;
    await noteChange(tx, actor, before, after);
    return after;
  });
}

/** What has a rule of its own and is given. */
function definedOf({ name, confirmAbove: people }: TenantChange) {
  return { ...(name === undefined ? {} : { name }), ...(people == null ? {} : { confirmAbove: people }) };
}

async function noteChange(tx: Tx, actor: Actor, before: Tenant, after: Tenant): Promise<void> {
  const isOtherwise = (name: "pausedAt" | "dpaAcceptedAt") => (before[name] === null) !== (after[name] === null);
  const changes = changesBetween(before, after, ["name", "plan", "confirmAbove"]);
  if (changes !== undefined) await recordAuditEvent(tx, actor, "tenant.changed", { details: { changes } });
  if (isOtherwise("pausedAt")) await recordAuditEvent(tx, actor, after.pausedAt ? "tenant.paused" : "tenant.resumed");
  if (isOtherwise("dpaAcceptedAt") || before.dpaVersion !== after.dpaVersion) {
    const details = { version: after.dpaVersion ?? before.dpaVersion };
    await recordAuditEvent(tx, actor, after.dpaAcceptedAt ? "agreement.accepted" : "agreement.withdrawn", { details });
  }
}
