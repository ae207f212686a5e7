import { Counter, Gauge, type Metric, type Registry } from "prom-client";
import type { PoolWatch } from "../db/pool-watch.ts";
import { answerBounds, type DeliveryCounters, type PushServiceCounters } from "../delivery/counters.ts";

/** The names of the metrics of a process. Like the names in monitoring-routes.ts, they never change. */
const metricNames = {
  messages: "pressbell_messages_total",
  answerSeconds: "pressbell_push_answer_seconds",
  inFlight: "pressbell_messages_in_flight",
  leasesLost: "pressbell_leases_lost_total",
  loopDelay: "pressbell_delivery_loop_delay_seconds",
  connections: "pressbell_database_connections",
  waits: "pressbell_database_waits_total",
  waitSeconds: "pressbell_database_wait_seconds_total",
} as const;

/** Adds the counters of this process's delivery threads. */
export function addCountersMetrics(registry: Registry, read: () => DeliveryCounters): void {
  addCounter(
    registry,
    metricNames.messages,
    "Tries to post, by push service and outcome.",
    ["push_service", "outcome"],
    (counter) => {
      for (const { pushService, outcomes } of read().pushServices)
        for (const [outcome, n] of Object.entries(outcomes)) counter.inc({ push_service: pushService, outcome }, n);
    },
  );
  addGauge(
    registry,
    metricNames.inFlight,
    "Messages that wait for a push service's answer.",
    ["push_service"],
    (gauge) => {
      for (const { pushService, inFlight } of read().pushServices) gauge.set({ push_service: pushService }, inFlight);
    },
  );
  addCounter(registry, metricNames.leasesLost, "Batches whose claim was lost before they ended.", [], (counter) => {
    counter.inc(read().leasesLost);
  });
  addGauge(registry, metricNames.loopDelay, "The longest delay of a delivery thread's event loop.", [], (gauge) => {
    gauge.set(read().loopDelaySeconds);
  });
  // prom-client's Histogram cannot take counts that were made elsewhere.
  const answers = {
    name: metricNames.answerSeconds,
    get: async () => ({
      name: metricNames.answerSeconds,
      help: "Seconds from a POST to its answer, or to the end of the try, by push service.",
      type: "histogram",
      values: read().pushServices.flatMap(histogramOf),
    }),
  };
  registry.registerMetric(answers as unknown as Metric);
}

/** Returns the values of a histogram in Prometheus's form. Each bucket counts all answers up to its bound. */
function histogramOf({ pushService, buckets, secondsOfAnswers }: PushServiceCounters): object[] {
  const name = metricNames.answerSeconds;
  let count = 0;
  const values = buckets.map((n, i) => {
    count += n;
    return {
      metricName: `${name}_bucket`,
      labels: { push_service: pushService, le: answerBounds[i] ?? "+Inf" },
      value: count,
    };
  });
  return [
    ...values,
    { metricName: `${name}_sum`, labels: { push_service: pushService }, value: secondsOfAnswers },
    { metricName: `${name}_count`, labels: { push_service: pushService }, value: count },
  ];
}

/** Adds how this process uses its connections to the database, without those of its delivery threads. */
export function addPoolMetrics(registry: Registry, watch: PoolWatch): void {
  const labels = ["share", "state"];
  addGauge(registry, metricNames.connections, "Connections, and callers that wait for one.", labels, (gauge) => {
    for (const { share, ...states } of watch.read().pools)
      for (const [state, n] of Object.entries(states)) gauge.set({ share, state }, n);
  });
  addCounter(registry, metricNames.waits, "Callers that had to wait for a connection.", [], (counter) => {
    counter.inc(watch.read().waits);
  });
  addCounter(registry, metricNames.waitSeconds, "Seconds that callers waited for a connection.", [], (counter) => {
    counter.inc(watch.read().waitSeconds);
  });
}

function addCounter(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  set: (counter: Counter) => void,
): void {
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      set(this);
    },
  });
}

function addGauge(registry: Registry, name: string, help: string, labelNames: string[], set: (gauge: Gauge) => void) {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      set(this);
    },
  });
}
