import type { Registry } from "prom-client";
import type { App } from "../app.ts";
import { readDeliveryFigures, readTimeToScreen } from "../runs/figures.ts";
import { readScheduleFigures } from "../sends/due-queries.ts";
import { countQuarantinedSites } from "../tenants/sites/quarantine-queries.ts";
import { addDatabaseGauge, sharedWhileRunning } from "./database-gauge.ts";

/** The names of delivery's metrics. Like the names in monitoring-routes.ts, they never change. */
const metricNames = {
  batches: "pressbell_batches",
  pending: "pressbell_messages_pending",
  blockedPushServices: "pressbell_push_services_blocked",
  oldestRun: "pressbell_oldest_run_seconds",
  oldestLapse: "pressbell_oldest_lapse_seconds",
  scheduleLag: "pressbell_schedule_lag_seconds",
  schedulesDelayed: "pressbell_schedules_delayed",
  timeToScreen: "pressbell_time_to_screen_seconds",
  sitesQuarantined: "pressbell_sites_quarantined",
} as const;

/**
 * Adds the figures of delivery by all processes. They are read from the database at each request for metrics.
 */
export function addDeliveryMetrics(registry: Registry, app: App): void {
  const add = addDatabaseGauge.bind(null, registry, app);
  const delivery = sharedWhileRunning(() => readDeliveryFigures(app.db));
  const schedules = sharedWhileRunning(() => readScheduleFigures(app.db, app.config.GRACE_MINUTES));
  add(metricNames.batches, "Batches that are not done, by state.", "state", async (batches) => {
    const { batches: counted } = await delivery();
    for (const [state, n] of Object.entries(counted)) batches.set({ state }, n);
  });
  add(metricNames.pending, "Messages of open runs without an outcome.", null, async (pending) => {
    pending.set((await delivery()).pending);
  });
  add(
    metricNames.blockedPushServices,
    "Push services of sites that are blocked because they refuse the site's key.",
    null,
    async (blocked) => {
      blocked.set((await delivery()).blockedPushServices);
    },
  );
  add(metricNames.oldestRun, "Seconds for which the oldest open run has been open.", null, async (oldest) => {
    oldest.set((await delivery()).oldestRunSeconds);
  });
  add(
    metricNames.oldestLapse,
    "Seconds since the first lease ended of a batch without an owner.",
    null,
    async (gauge) => {
      gauge.set((await delivery()).oldestLapseSeconds);
    },
  );
  add(metricNames.scheduleLag, "Seconds for which the longest due campaign has waited.", null, async (lag) => {
    lag.set((await schedules()).lagSeconds);
  });
  add(metricNames.schedulesDelayed, "Due campaigns that a gate delays.", null, async (delayed) => {
    delayed.set((await schedules()).delayed);
  });
  add(
    metricNames.timeToScreen,
    "Seconds within which a share of the notifications of the last 24 hours was on the screen.",
    "share",
    async (seconds) => {
      const times = await readTimeToScreen(app.db, { nowMs: app.now(), days: 1 });
      if (times === null) return;
      seconds.set({ share: "0.5" }, times.p50Seconds);
      seconds.set({ share: "0.9" }, times.p90Seconds);
      seconds.set({ share: "0.99" }, times.p99Seconds);
    },
  );
  add(metricNames.sitesQuarantined, "Sites that send nothing until they are released.", null, async (quarantined) => {
    quarantined.set(await countQuarantinedSites(app.db));
  });
}
