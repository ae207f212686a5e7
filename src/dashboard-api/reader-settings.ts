import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { type Prompt, promptOf, type ReaderSettings } from "../tenants/sites/reader-settings.ts";
import type { Site } from "../tenants/sites/site.ts";
import { findSite } from "./audience.ts";

/** What readers' browsers see of a site. `prompt`: what the site sets of it; `usualPrompt`: what holds for the rest. */
export type ReaderSettingsView = ReaderSettings & Pick<Site, "onUncertain"> & { usualPrompt: Prompt };

/** The settings of a site of the actor's tenant for its readers. Throws `not_found`. */
export async function readReaderSettings(
  app: App,
  actor: Actor,
  { siteId }: { siteId: string },
): Promise<ReaderSettingsView> {
  const site = await findSite(app, actor, siteId);
  const { origins, iconUrl, utm, prompt, linkMode, dormantMonths, onUncertain } = site;
  return { origins, iconUrl, utm, prompt, linkMode, dormantMonths, onUncertain, usualPrompt: promptOf({}) };
}
