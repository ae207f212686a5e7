import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { testDevicesOfSite } from "../../campaigns/queries.ts";
import { extraRunsUsedUp } from "../../campaigns/test-campaign.ts";
import { type Executor, inTenant } from "../../db/pool.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults } from "../../faults.ts";
import { faultsOf } from "../../input.ts";
import { enforceLimit } from "../../rate-limits/count-requests.ts";
import { extraRunLimit } from "../../rate-limits/limits.ts";
import { maxTestDevices } from "../../subscribers/test-devices.ts";
import { changesBetween } from "../../tenants/changes.ts";
import { siteOfActor } from "../../tenants/sites/site-of-actor.ts";
import { failureOf } from "./check-drill.ts";
import { type Drill, type DrillSettings, drillChange, settingsOf, viewDrill } from "./drill.ts";
import { canaryOfSite, drillOfSite, forgetDrill, lockDrill, upsertDrill } from "./queries.ts";
import { beginDrill } from "./run-drills.ts";

/** Returns the fire drill of a site of the actor's tenant, and its last drill. Throws `not_found`. */
export async function readDrill(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<Drill> {
  await siteOfActor(app.db, actor, siteId);
  return drillAsShown(app.db, siteId);
}

async function drillAsShown(on: Executor, siteId: string): Promise<Drill> {
  const row = await drillOfSite(on, siteId);
  return viewDrill(row, row ? failureOf(row) : null, await testDevicesOfSite(on, siteId, maxTestDevices));
}

/**
 * Changes the fire drill of a site of the actor's tenant. Absent fields stay. `canaryId` null switches it off. After a
 * change of the canary a drill begins within a second. Throws `validation_failed` with all faults, and `not_found`.
 */
export async function changeDrill(
  app: App,
  actor: Actor,
  { siteId, body }: { siteId: string; body: unknown },
): Promise<Drill> {
  return inTenant(app.db, actor.tenantId, async (tx) => {
    await siteOfActor(tx, actor, siteId);
    const before = settingsOf(await lockDrill(tx, siteId));
    const after = await readChange(tx, siteId, before, body);
    const changes = changesBetween(before, after, ["canaryId", "everyMinutes"]);
    if (changes === undefined) return drillAsShown(tx, siteId);
    await upsertDrill(tx, siteId, after);
    if (changes.canaryId !== undefined) await forgetDrill(tx, siteId);
    await recordAuditEvent(tx, actor, "drill.changed", { siteId, details: { changes } });
    return drillAsShown(tx, siteId);
  });
}

/**
 * Returns the settings after a change. A change of other fields keeps a canary that is no longer subscribed. Throws
 * `validation_failed`.
 */
async function readChange(on: Executor, siteId: string, before: DrillSettings, body: unknown): Promise<DrillSettings> {
  const parsed = drillChange.safeParse(body);
  const wrong = parsed.success ? [] : faultsOf(parsed.error);
  const { canaryId } = Object(body) as { canaryId?: unknown };
  const isNew = typeof canaryId === "string" && canaryId !== before.canaryId;
  if (isNew && !(await isTestDevice(on, siteId, canaryId)))
    wrong.push(fault("/canaryId", faults.unknown_test_device()));
  if (wrong.length > 0) throw invalidFields(wrong);
  return { ...before, ...parsed.data };
}

async function isTestDevice(on: Executor, siteId: string, id: string): Promise<boolean> {
  return /^\d{1,15}$/.test(id) && (await canaryOfSite(on, siteId, Number(id))) !== undefined;
}

/**
 * Begins a fire drill before its time. Begins none if a drill is running, or if the run of the last drill has not
 * ended. Returns the drill. Throws `not_found`, `rate_limited`, and `no_test_subscribers` if the site has no canary.
 */
export async function runDrillNow(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<Drill> {
  await siteOfActor(app.db, actor, siteId);
  await enforceLimit(app, extraRunLimit, actor.tenantId, extraRunsUsedUp);
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const drill = await lockDrill(tx, siteId);
    if (drill === undefined || drill.canaryId === null) throw appError("no_test_subscribers", { message: noCanary });
    await beginDrill(app, tx, siteId, true);
    return drillAsShown(tx, siteId);
  });
}

const noCanary =
  "This site has no canary. Choose one of its test devices under Fire drill in the settings, or with `pressbell drill set`.";
