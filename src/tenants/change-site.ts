import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { updateSite } from "./queries.ts";
import type { Site } from "./site.ts";

/** Pauses or resumes the sends of a site. Throws `not_found`. */
export async function changeSite(app: App, input: { siteId: string; paused: boolean }): Promise<Site> {
  const site = await updateSite(app.db, input.siteId, { paused: input.paused });
  if (site === undefined) throw appError("not_found", { message: `There is no site ${input.siteId}.` });
  return site;
}
