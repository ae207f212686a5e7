import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError, invalidFields } from "../errors.ts";
import { faultsOf } from "../input.ts";
import { updateSite } from "./queries.ts";
import { type Site, type SiteChange, siteChange } from "./site.ts";

/**
 * Pauses or resumes the sends of a site of the actor's tenant, sets the limits of its content decision and what its
 * readers' browsers see; what is absent stays, and null takes a setting away. Throws `validation_failed` with all faults at once, and `not_found`.
 */
export async function changeSite(app: App, actor: Actor, input: { siteId: string } & SiteChange): Promise<Site> {
  const { siteId, ...change } = input;
  const parsed = siteChange.safeParse(change);
  if (!parsed.success) throw invalidFields(faultsOf(parsed.error));
  if (parsed.data.linkMode === "redirect" && app.config.PUBLIC_URL === undefined) {
    const message = "redirect needs PUBLIC_URL: set it to where browsers reach this service";
    throw invalidFields([{ path: "/linkMode", message }]);
  }
  const site = await updateSite(app.db, actor.tenantId, siteId, parsed.data);
  if (site === undefined) throw appError("not_found", { message: `There is no site ${siteId}.` });
  return site;
}
