import type { Registry } from "prom-client";
import type { App } from "../app.ts";
import { drillSteps } from "../automations/drill/drill.ts";
import { countFailedDrills } from "../automations/drill/queries.ts";
import { addDatabaseGauge } from "./database-gauge.ts";

/** The name of the fire drills' metric. Like the names in monitoring-routes.ts, it never changes. */
const drillsFailed = "pressbell_drills_failed";

/** Adds how many sites had a failed last fire drill, by the step that it did not reach. */
export function addDrillMetrics(registry: Registry, app: App): void {
  const help = "Sites whose last fire drill failed, by the step that it did not reach.";
  addDatabaseGauge(registry, app, drillsFailed, help, "step", async (failed) => {
    const counted = await countFailedDrills(app.db);
    for (const step of ["canary", ...drillSteps]) failed.set({ step }, 0);
    for (const { step, n } of counted) failed.set({ step }, n);
  });
}
