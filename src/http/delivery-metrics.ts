import type { Registry } from "prom-client";
import type { App } from "../app.ts";
import { readDeliveryFigures } from "../runs/figures.ts";
import { addDatabaseGauge } from "./database-gauge.ts";

/** The names of delivery's metrics. They never change, as those in monitoring-routes.ts. */
const metricNames = {
  batches: "pressbell_batches",
  pending: "pressbell_messages_pending",
  heldLanes: "pressbell_lanes_held",
  oldestRun: "pressbell_oldest_run_seconds",
} as const;

/** Adds what all processes have to deliver, read from the database at each request for metrics. */
export function addDeliveryMetrics(registry: Registry, app: App): void {
  const add = addDatabaseGauge.bind(null, registry, app);
  add(metricNames.batches, "Batches that are not done, by state.", "state", async (batches) => {
    const { batches: counted } = await readDeliveryFigures(app.db);
    for (const [state, n] of Object.entries(counted)) batches.set({ state }, n);
  });
  add(metricNames.pending, "Messages of open runs without an outcome.", null, async (pending) => {
    pending.set((await readDeliveryFigures(app.db)).pending);
  });
  add(metricNames.heldLanes, "Lanes that wait because a push service refuses the key.", null, async (held) => {
    held.set((await readDeliveryFigures(app.db)).heldLanes);
  });
  add(metricNames.oldestRun, "Seconds for which the oldest open run has been open.", null, async (oldest) => {
    oldest.set((await readDeliveryFigures(app.db)).oldestRunSeconds);
  });
}
