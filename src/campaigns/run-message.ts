import type { App } from "../app.ts";
import { publicBase } from "../config.ts";
import type { Executor } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { addUtm } from "../runs/article-link.ts";
import { largestPayloadBytes, maxPayloadBytes } from "../runs/payload.ts";
import type { NudgeExtras, RunMessage } from "../runs/run.ts";
import { siteById } from "../tenants/sites/queries.ts";
import type { ReaderSettings } from "../tenants/sites/reader-settings.ts";
import type { CampaignRecord } from "./campaign.ts";
import { variantsOf } from "./headline-variants.ts";

type Nudge = Pick<CampaignRecord, "siteId" | "title" | "body" | "url" | "imageUrl" | "language" | "extras">;

/**
 * Returns the messages of a notification and its variants, with the current settings of its site. The notification's
 * own message comes first. Throws `site_removed`.
 */
export async function readVariantMessages(app: App, on: Executor, nudge: Nudge): Promise<RunMessage[]> {
  const site = await siteById(on, nudge.siteId);
  if (site === undefined) throw appError("site_removed");
  const base = app.config.PUBLIC_URL === undefined ? null : publicBase(app.config, "");
  return variantsOf(nudge).map((variant) => writeRunMessage(variant, site, base));
}

/**
 * Returns the message of a notification with the icon, language, UTM parameters and link mode of its site.
 * assertPayloadFits checked the notification without these. If the message is too large with them, the icon is left
 * out, then the language, then the others. `base`: the URL at which browsers reach Pressbell; null if PUBLIC_URL is
 * not set.
 */
export function writeRunMessage(
  nudge: Omit<Nudge, "siteId" | "extras"> & { extras?: NudgeExtras },
  site: Pick<ReaderSettings, "iconUrl" | "utm" | "linkMode"> & { receipts?: ReaderSettings["receipts"] },
  base: string | null,
): RunMessage {
  const { title, body, url, imageUrl, language, extras } = nudge;
  const story = extras?.storyId ?? url;
  const { receipts = "full" } = site;
  const shown: RunMessage = { title: title!, body, url, imageUrl, story, extras };
  const bare: RunMessage = receipts === "full" ? shown : { ...shown, receipts };
  const linked: RunMessage = {
    ...bare,
    url: addUtm(url, site.utm),
    extras: withUtm(extras, site.utm),
    // A redirect through this service would identify the reader.
    ...(site.linkMode === "redirect" && base !== null && receipts === "full"
      ? { clickBase: `${base}/sdk/click/` }
      : {}),
  };
  const withLanguage: RunMessage = { ...linked, language };
  const withIcon: RunMessage = { ...withLanguage, iconUrl: site.iconUrl };
  return [withIcon, withLanguage, linked].find((message) => largestPayloadBytes(message) <= maxPayloadBytes) ?? bare;
}

function withUtm(extras: NudgeExtras | undefined, utm: ReaderSettings["utm"]): NudgeExtras | undefined {
  if (!extras?.actions) return extras;
  return { ...extras, actions: extras.actions.map(({ title, url }) => ({ title, url: addUtm(url, utm) })) };
}
