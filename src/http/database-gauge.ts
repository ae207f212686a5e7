import { Gauge, type Registry } from "prom-client";
import type { App } from "../app.ts";

/**
 * Adds a gauge that `read` sets from the database at each request for metrics. The gauge is left out while the
 * database does not answer. `label`: the name of the gauge's label; null if it has none.
 */
export function addDatabaseGauge(
  registry: Registry,
  app: App,
  name: string,
  help: string,
  label: string | null,
  read: (gauge: Gauge) => Promise<void>,
): void {
  new Gauge({
    name,
    help,
    labelNames: label === null ? [] : [label],
    registers: [registry],
    async collect() {
      this.reset();
      await read(this).catch((error: unknown) => {
        // `reset` leaves a gauge without a label at 0.
        if (label === null) this.remove();
        app.log.warn({ err: error, metric: name }, "a figure could not be read for /metrics");
      });
    },
  });
}

/**
 * Returns a `read` whose concurrent calls share one reading, so that one request for metrics asks the database once.
 */
export function sharedWhileRunning<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}
