import { mayActAsOwner } from "../access/members/may-act-as-owner.ts";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import type { Site, SiteChange } from "../tenants/sites/site.ts";
import { changeSite } from "../tenants/sites/sites.ts";
import { lockLocalSchedules, setLateFrom } from "./planned-send-queries.ts";
import { lateFromMs } from "./schedule.ts";

/**
 * Changes a site as `changeSite` does. A new time zone also changes the site's schedules for a local time: when they
 * count as sent for the site, and when they are late. Their start depends on no zone. Only an owner changes the rules
 * of classes. Throws `forbidden`, and what `changeSite` throws.
 */
export async function changeSiteAndSchedules(
  app: App,
  actor: Actor,
  input: { siteId: string } & SiteChange,
): Promise<Site> {
  if (input.classes !== undefined && !(await mayActAsOwner(app.db, actor))) throw appError("forbidden");
  // This runs even if the zone stays the same, because another change may have come between.
  return changeSite(app, actor, input, input.timeZone === undefined ? undefined : recompute);
}

async function recompute(tx: Tx, { id, timeZone }: Site): Promise<void> {
  const schedules = await lockLocalSchedules(tx, id);
  const late = schedules.map((schedule) => ({
    id: schedule.id,
    lateFromMs: lateFromMs(schedule.startsAt.getTime(), schedule.localTime, timeZone),
  }));
  if (late.length > 0) await setLateFrom(tx, late);
}
