import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";

/**
 * Traces (OpenTelemetry). Without OTEL_EXPORTER_OTLP_ENDPOINT the API does nothing and costs nothing; egress/trace-export.ts
 * opens the exporter. A run has a trace of its own, whose id is the run's: planners and workers on all machines add to it
 * without a word to each other. Attributes hold ids and counts, never addresses of people, endpoints or secrets.
 */
const tracer = trace.getTracer("pressbell");

/** In the context in which the root span of a run is created: the run's id, which becomes the ids of the span. */
export const runOfRoot = createContextKey("the run of a root span");

/** The ids of a run's root span: a UUID and a trace id have 16 bytes (W3C Trace Context), and its last 8 are random. */
export function rootOfRun(runId: string): { traceId: string; spanId: string } {
  const traceId = runId.replaceAll("-", "");
  return { traceId, spanId: traceId.slice(16) };
}

function contextOfRun(runId: string): Context {
  const root = { ...rootOfRun(runId), traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, root);
}

/** Does `work` within a span below the current one. The span has failed if `work` throws. */
export function traced<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
  return inSpan(name, attributes, context.active(), work);
}

/** Does `work` within a span of the run's trace, as `traced` does. */
export function tracedOfRun<T>(
  name: string,
  runId: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return inSpan(name, { "pressbell.run_id": runId, ...attributes }, contextOfRun(runId), work);
}

function inSpan<T>(
  name: string,
  attributes: Attributes,
  parent: Context,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // Not the message: that of a database error quotes rows.
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Links the current span, such as a request's, with the trace of the run that it starts. */
export function linkRun(runId: string): void {
  const span = trace.getActiveSpan();
  span?.setAttribute("pressbell.run_id", runId);
  span?.addLink({ context: { ...rootOfRun(runId), traceFlags: TraceFlags.SAMPLED } });
}

/** Records a run from its start until now, as the root of its trace. */
export function recordRun(run: { runId: string; siteId: string }, startedAt: Date, status: string): void {
  const attributes = { "pressbell.run_id": run.runId, "pressbell.site_id": run.siteId, "pressbell.run_status": status };
  const inContext = context.active().setValue(runOfRoot, run.runId);
  context.with(inContext, () => tracer.startSpan("run", { root: true, startTime: startedAt, attributes })).end();
}
