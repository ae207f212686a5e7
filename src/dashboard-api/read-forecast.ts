import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { readCampaign } from "../campaigns/read-campaigns.ts";
import { type Evaluation, type Forecast, forecast } from "../forecast/forecast.ts";
import { learnSite } from "../forecast/learn-sites.ts";
import { clockFacts, hoursSinceLastSend, learntOfSite } from "../forecast/queries.ts";
import { momentAt } from "../local-time.ts";
import { countSubscribers } from "../subscribers/queries.ts";
import { freezeSegment } from "../subscribers/segments/queries.ts";
import { shareCount } from "../subscribers/share-count.ts";
import { findSite } from "./audience.ts";
import { countLimit } from "./reports/queries.ts";

/**
 * The forecast of a campaign. Its shares are shares of `readers`. `tenants`: how many other tenants the forecast is
 * drawn towards. `expected` is null while there are too few notifications. It is also null for a segment and for
 * followers, because the forecast learns from notifications to all readers or to those of topics.
 */
export type ForecastView = {
  readers: number;
  expected: { evaluation: Evaluation; tenants: number; forecast: Forecast } | null;
};

/**
 * Forecasts a campaign from what was learnt from its site's own notifications. Uses the campaign's time, or now if it
 * has none. Throws `not_found`.
 */
export async function readForecast(app: App, actor: Actor, input: { campaignId: string }): Promise<ForecastView> {
  const campaign = await readCampaign(app, actor, input);
  const { siteId, title, url, imageUrl, topicIds, scheduledAt, localTime } = campaign;
  const { timeZone } = await findSite(app, actor, siteId);
  const audience = {
    topicIds,
    segment: await freezeSegment(app.db, siteId, campaign.segment),
    followersOf: campaign.followersOf,
  };
  const counted = await shareCount(app, siteId, ["readers", audience], () =>
    countSubscribers(app.db, siteId, audience, countLimit),
  );
  const readers = Math.min(countLimit, counted);
  if (campaign.segment !== null || campaign.followersOf !== null) return { readers, expected: null };
  const learnt =
    (await learntOfSite(app.db, siteId))?.learnt ??
    (await shareCount(app, siteId, ["learn"], () => learnSite(app.db, { siteId, tenantId: actor.tenantId, timeZone })));
  if (learnt === undefined) return { readers, expected: null };
  const momentMs = scheduledAt === null ? app.now() : Date.parse(scheduledAt);
  const atMs = localTime === null ? momentMs : momentAt(timeZone, localTime);
  const sinceLast = await hoursSinceLastSend(app.db, siteId);
  const facts = {
    title: title ?? "",
    url,
    hasImage: imageUrl !== null,
    topicIds,
    ...clockFacts(timeZone, atMs),
    hoursSinceLast: sinceLast === null ? null : sinceLast + Math.max(0, atMs - app.now()) / 3_600_000,
  };
  const { evaluation, tenants } = learnt;
  return { readers, expected: { evaluation, tenants, forecast: forecast(learnt, facts, readers) } };
}
