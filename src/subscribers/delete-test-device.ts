import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { deleteTestSubscriber } from "./queries.ts";

/** Removes a test device of a site of the actor's tenant; a reader is none. Throws `not_found`. */
export async function deleteTestDevice(
  app: App,
  actor: Actor,
  { siteId, deviceId }: { siteId: string; deviceId: string },
): Promise<void> {
  const site = isId(siteId) ? await siteOfTenant(app.db, actor.tenantId, siteId) : undefined;
  const isRemoved =
    site !== undefined && /^\d{1,15}$/.test(deviceId) && (await deleteTestSubscriber(app.db, siteId, Number(deviceId)));
  if (!isRemoved) throw appError("not_found", { message: "There is no such test device at this site." });
}
