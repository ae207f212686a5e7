import { setTimeout as delay } from "node:timers/promises";
import { context } from "@opentelemetry/api";
import type { Logger } from "../log.ts";
import { rootOfRun, runOfRoot } from "../tracing.ts";

/**
 * The target of traces: an OTLP collector. `endpoint`: its address without /v1/traces. `headers`: `name=value,…`,
 * percent-encoded.
 */
export type TraceTarget = { endpoint: string; headers: string | undefined; serviceName: string };

type TraceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  OTEL_SERVICE_NAME: string;
};

/** Returns the target of traces that the settings name; undefined without an endpoint. */
export function traceTarget(config: TraceSettings): TraceTarget | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  return endpoint === undefined ? undefined : { endpoint, headers, serviceName: config.OTEL_SERVICE_NAME };
}

/** The longest time for which a collector that hangs holds up the queue or the end of the process. */
const exportWithinMs = 2_000;

/**
 * Opens the export of this thread's traces, by OTLP over HTTP (JSON). At most 2,048 spans wait to be sent; more are
 * dropped. A collector that does not accept spans causes one warning, until it accepts them again. The packages are
 * loaded only here. Sampler, batches and resource attributes follow OpenTelemetry's own environment variables.
 * `close` sends the waiting spans.
 */
export async function openTraceExport(target: TraceTarget, log: Logger): Promise<{ close(): Promise<void> }> {
  const [{ BatchSpanProcessor, NodeTracerProvider, RandomIdGenerator }, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  const exporter = new OTLPTraceExporter({
    url: `${target.endpoint.replace(/\/+$/, "")}/v1/traces`,
    headers: readHeaders(target.headers ?? ""),
    timeoutMillis: exportWithinMs,
  });
  let isAway = false;
  const { export: send } = exporter;
  exporter.export = (spans, callback) =>
    send.call(exporter, spans, (result) => {
      const failed = result.error !== undefined;
      if (failed && !isAway)
        log.warn(
          { err: result.error },
          "traces are dropped: the collector does not take them. Check OTEL_EXPORTER_OTLP_ENDPOINT and the collector",
        );
      if (!failed && isAway) log.info("the collector takes traces again");
      isAway = failed;
      callback(result);
    });
  const random = new RandomIdGenerator();
  const ownRun = () => context.active().getValue(runOfRoot) as string | undefined;
  const provider = new NodeTracerProvider({
    idGenerator: {
      generateTraceId: () => (ownRun() === undefined ? random.generateTraceId() : rootOfRun(ownRun()!).traceId),
      generateSpanId: () => (ownRun() === undefined ? random.generateSpanId() : rootOfRun(ownRun()!).spanId),
    },
    resource: resources
      .resourceFromAttributes({ "service.name": target.serviceName, "process.pid": process.pid })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  return {
    async close() {
      const closed = provider.shutdown().catch(() => {});
      await Promise.race([closed, delay(exportWithinMs, undefined, { ref: false })]);
    },
  };
}

function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(",").filter((pair) => pair.includes("="));
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, ...value] = pair.split("=");
      return [decodeURIComponent(name!.trim()), decodeURIComponent(value.join("=").trim())];
    }),
  );
}
