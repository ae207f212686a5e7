import type { Registry } from "prom-client";
import type { App } from "../app.ts";
import { countRecentItems, readFeedFigures } from "../feeds/figures.ts";
import { itemMoves } from "../feeds/items/states.ts";
import { addDatabaseGauge, sharedWhileRunning } from "./database-gauge.ts";

/** The names of feeds' metrics. Like the names in monitoring-routes.ts, they never change. */
const metricNames = {
  feeds: "pressbell_feeds",
  asking: "pressbell_feeds_asking",
  late: "pressbell_feeds_late",
  delay: "pressbell_feed_poll_delay_seconds",
  items: "pressbell_feed_items",
} as const;

/**
 * Adds the figures of feeds. They are read from the database at each request for metrics, because any `worker` polls
 * feeds too. While the database does not answer, they are left out, and only the metrics of the process are shown.
 */
export function addFeedMetrics(registry: Registry, app: App): void {
  const gauge = addDatabaseGauge.bind(null, registry, app);
  const figures = sharedWhileRunning(() => readFeedFigures(app.db));
  gauge(metricNames.feeds, "Feeds that are on, by the outcome of their last poll.", "poll", async (feeds) => {
    const { polled } = await figures();
    for (const [poll, n] of Object.entries(polled)) feeds.set({ poll }, n);
  });
  gauge(metricNames.asking, "Feeds that ask about very many new items.", null, async (asking) => {
    asking.set((await figures()).asking);
  });
  gauge(metricNames.late, "Feeds whose poll has been due for a minute or more.", null, async (late) => {
    late.set((await figures()).late);
  });
  gauge(metricNames.delay, "Seconds for which the longest due poll has waited.", null, async (delay) => {
    delay.set((await figures()).delaySeconds);
  });
  gauge(metricNames.items, "Items of feeds within a day, by what became of them.", "status", async (items) => {
    const counted = await countRecentItems(app.db, app.now());
    for (const status of Object.keys(itemMoves)) items.set({ status }, 0);
    for (const { status, n } of counted) items.set({ status }, n);
  });
}
