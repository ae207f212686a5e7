import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { readCampaign } from "../campaigns/read-campaigns.ts";
import { localDay, localTime, minutesOf } from "../local-time.ts";
import { type Evaluation, evaluate, type Forecast, forecast, nudgesNeeded } from "../receipts/forecast/forecast.ts";
import { historyOfSite, hoursSinceLastSend } from "../receipts/forecast/queries.ts";
import { countSubscribers } from "../subscribers/queries.ts";
import { findSite } from "./audience.ts";
import { countLimit } from "./queries.ts";

/** What to expect of a campaign. `forecast`: null with fewer than `needed` nudges. Shares are of `readers`. */
export type ForecastView = {
  readers: number;
  needed: number;
  evaluation: Evaluation;
  forecast: Forecast | null;
};

/**
 * Forecasts a campaign at its time, or if it has none now, from its site's own nudges of the last year. Throws `not_found`.
 */
export async function readForecast(app: App, actor: Actor, input: { campaignId: string }): Promise<ForecastView> {
  const { siteId, title, imageUrl, topicIds, scheduledAt } = await readCampaign(app, actor, input);
  const { timeZone } = await findSite(app, actor, siteId);
  const history = await historyOfSite(app.db, siteId, timeZone);
  const evaluation = evaluate(history);
  const readers = Math.min(countLimit, await countSubscribers(app.db, siteId, topicIds, countLimit));
  const atMs = scheduledAt === null ? app.now() : Date.parse(scheduledAt);
  const sinceLast = await hoursSinceLastSend(app.db, siteId);
  const facts = {
    ...{ title: title ?? "", hasImage: imageUrl !== null, topicIds },
    hour: Math.floor(minutesOf(localTime(timeZone, atMs)) / 60),
    weekday: new Date(localDay(timeZone, atMs)).getUTCDay() || 7,
    hoursSinceLast: sinceLast === null ? null : sinceLast + Math.max(0, atMs - app.now()) / 3_600_000,
  };
  const view = forecast(history, facts, readers, evaluation.isUsed) ?? null;
  return { readers, needed: nudgesNeeded, evaluation, forecast: view };
}
