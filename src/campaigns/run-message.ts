import type { App } from "../app.ts";
import { publicBase } from "../config.ts";
import type { Executor } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { addUtm } from "../runs/article-link.ts";
import { maxPayloadBytes, payloadBytes } from "../runs/payload.ts";
import type { RunMessage } from "../runs/run.ts";
import { siteById } from "../tenants/sites/queries.ts";
import type { ReaderSettings } from "../tenants/sites/reader-settings.ts";
import type { CampaignRecord } from "./campaign.ts";
import { correctedRun } from "./queries.ts";

type Nudge = Pick<CampaignRecord, "siteId" | "title" | "body" | "url" | "imageUrl" | "language"> &
  Pick<CampaignRecord, "tenantId" | "corrects">;

/** What a run of the campaign shows and where it leads, with what the site adds now. Throws `site_removed`. */
export async function readRunMessage(app: App, on: Executor, nudge: Nudge): Promise<RunMessage> {
  const site = await siteById(on, nudge.siteId);
  if (site === undefined) throw appError("site_removed");
  const base = app.config.PUBLIC_URL === undefined ? null : publicBase(app.config, "");
  const message = writeRunMessage(nudge, site, base);
  if (nudge.corrects === null) return message;
  return { ...message, tag: (await correctedRun(on, nudge.tenantId, nudge.corrects))!.tag };
}

/**
 * The message of a campaign with its site's icon, campaign parameters and way of linking. The campaign was judged to fit
 * in a push message without them, so where it does not fit with them they are left out, one after the other. `base`:
 * where browsers reach the service; null where nobody has said it.
 */
export function writeRunMessage(
  nudge: Omit<Nudge, "siteId" | "tenantId" | "corrects">,
  site: Pick<ReaderSettings, "iconUrl" | "utm" | "linkMode">,
  base: string | null,
): RunMessage {
  const { title, body, url, imageUrl, language } = nudge;
  const bare: RunMessage = { title: title!, body, url, imageUrl };
  const linked: RunMessage = {
    ...bare,
    url: addUtm(url, site.utm),
    ...(site.linkMode === "redirect" && base !== null ? { clickBase: `${base}/sdk/click/` } : {}),
  };
  const spoken: RunMessage = { ...linked, language };
  const whole: RunMessage = { ...spoken, iconUrl: site.iconUrl };
  return [whole, spoken, linked].find((message) => payloadBytes(message) <= maxPayloadBytes) ?? bare;
}
