import { z } from "zod";
import { type Actor, actorName } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { type Executor, inTenant, type Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { newId } from "../ids.ts";
import { parseInput } from "../input.ts";
import { changesBetween } from "./changes.ts";
import { insertTenant, tenantLocked, updateTenant } from "./queries.ts";
import {
  agreementVersion,
  checkPlan,
  confirmAbove,
  newTenant,
  recordLimit,
  type Tenant,
  type TenantChange,
} from "./tenant.ts";

/**
 * Creates a tenant, on the first plan of PLANS unless `plan` names another plan. Returns the tenant's id. Throws
 * `validation_failed` for an invalid name or an unknown plan.
 */
export async function createTenant(
  app: App,
  on: Executor,
  input: { name: string; plan?: string | undefined; dpaAccepted: boolean },
): Promise<{ tenantId: string }> {
  const plan = checkPlan(app.config.PLANS, input.plan);
  const { name } = parseInput(newTenant, input);
  const tenantId = newId();
  await insertTenant(on, { id: tenantId, name, plan, dpaVersion: input.dpaAccepted ? agreementVersion : null });
  return { tenantId };
}

const changeableFields = z.object({
  name: newTenant.shape.name.optional(),
  confirmAbove: confirmAbove.optional(),
  siteLimit: recordLimit.optional(),
  topicLimit: recordLimit.optional(),
});

/**
 * Changes the actor's tenant: name, plan, pause, agreement, the audience size above which a send needs a second person,
 * whether members need a second factor, or its limits of sites and topics. A lower limit removes nothing. Absent fields
 * stay as they are. Throws `not_found`, and `validation_failed` for an invalid name, plan or number.
 */
export async function changeTenant(app: App, actor: Actor, input: TenantChange): Promise<Tenant> {
  const { tenantId } = actor;
  if (input.plan !== undefined) checkPlan(app.config.PLANS, input.plan);
  const change = { ...input, ...parseInput(changeableFields, fieldsToParse(input)) };
  return inTenant(app.db, tenantId, async (tx) => {
    const before = await tenantLocked(tx, tenantId);
    if (before === undefined) throw appError("not_found", { message: `There is no tenant ${tenantId}.` });
    const acceptance = { version: agreementVersion, by: actorName(actor) };
    const after = (await updateTenant(tx, tenantId, change, acceptance))!;
    await recordChange(tx, actor, before, after);
    return after;
  });
}

/** Returns the given fields that have a schema. */
function fieldsToParse({ name, confirmAbove: people, siteLimit, topicLimit }: TenantChange) {
  const fields = { name, confirmAbove: people ?? undefined, siteLimit, topicLimit };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const changeable = ["name", "plan", "confirmAbove", "requiresSecondFactor", "siteLimit", "topicLimit"] as const;

async function recordChange(tx: Tx, actor: Actor, before: Tenant, after: Tenant): Promise<void> {
  const hasToggled = (name: "pausedAt" | "dpaAcceptedAt") => (before[name] === null) !== (after[name] === null);
  const changes = changesBetween(before, after, changeable);
  if (changes !== undefined) await recordAuditEvent(tx, actor, "tenant.changed", { details: { changes } });
  if (hasToggled("pausedAt")) await recordAuditEvent(tx, actor, after.pausedAt ? "tenant.paused" : "tenant.resumed");
  if (hasToggled("dpaAcceptedAt") || before.dpaVersion !== after.dpaVersion) {
    const details = { version: after.dpaVersion ?? before.dpaVersion };
    await recordAuditEvent(tx, actor, after.dpaAcceptedAt ? "agreement.accepted" : "agreement.withdrawn", { details });
  }
}
