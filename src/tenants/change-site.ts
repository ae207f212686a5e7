import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { appError, invalidFields } from "../errors.ts";
import { faultsOf } from "../input.ts";
import { changesBetween } from "./changes.ts";
import { siteOfTenant, updateSite } from "./queries.ts";
import { type Site, type SiteChange, siteChange } from "./site.ts";

/**
 * Renames a site of the actor's tenant, pauses or resumes its sends, sets the limits of its content decision and what
 * its readers' browsers see; what is absent stays, and null takes a setting away. Throws `validation_failed` with all
 * faults at once, and `not_found`.
 */
export async function changeSite(app: App, actor: Actor, input: { siteId: string } & SiteChange): Promise<Site> {
  const { siteId, ...change } = input;
  const parsed = siteChange.safeParse(change);
  if (!parsed.success) throw invalidFields(faultsOf(parsed.error));
  if (parsed.data.linkMode === "redirect" && app.config.PUBLIC_URL === undefined) {
    const message = "redirect needs PUBLIC_URL: set it to where browsers reach this service";
    throw invalidFields([{ path: "/linkMode", message }]);
  }
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const before = await siteOfTenant(tx, actor.tenantId, siteId);
    const after = await updateSite(tx, actor.tenantId, siteId, parsed.data);
    if (before === undefined || after === undefined) {
      throw appError("not_found", { message: `There is no site ${siteId}.` });
    }
    await noteChange(tx, actor, before, after);
    return after;
  });
}

async function noteChange(tx: Tx, actor: Actor, before: Site, after: Site): Promise<void> {
  const { id: siteId } = after;
  const names = (Object.keys(siteChange.shape) as (keyof SiteChange)[]).filter((name) => name !== "paused");
  const changes = changesBetween(before, after, names);
  if (changes !== undefined) await recordAuditEvent(tx, actor, "site.changed", { siteId, details: { changes } });
  if ((before.pausedAt === null) === (after.pausedAt === null)) return;
  await recordAuditEvent(tx, actor, after.pausedAt === null ? "site.resumed" : "site.paused", { siteId });
}
