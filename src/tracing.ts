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
 * Traces (OpenTelemetry). Without OTEL_EXPORTER_OTLP_ENDPOINT the API does nothing and costs nothing.
 * egress/trace-export.ts opens the exporter. Each run has its own trace, with the id of the run. So planners and
 * workers on all machines add to it without coordination. Attributes hold ids and counts, but never addresses of
 * people, endpoints or secrets.
 */
const tracer = trace.getTracer("pressbell");

/**
 * The context key for the id of a run, set while the root span of that run is created. The exporter derives the ids of
 * the span from it.
 */
export const runOfRoot = createContextKey("the run of a root span");

/**
 * Returns the ids of a run's root span. A UUID has 16 bytes, as a trace id has (W3C Trace Context). Its last 8 bytes
 * are random.
 */
export function rootOfRun(runId: string): { traceId: string; spanId: string } {
  const traceId = runId.replaceAll("-", "");
  return { traceId, spanId: traceId.slice(16) };
}

function contextOfRun(runId: string): Context {
  const root = { ...rootOfRun(runId), traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, root);
}

/** Runs `work` in a span below the current one. If `work` throws, the span has failed. */
export function traced<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
  return inSpan(name, attributes, context.active(), work);
}

/** Runs `work` in a span of the run's trace, as `traced` does. */
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
      // The message is left out, because that of a database error quotes rows.
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Links the current span, such as that of a request, to the trace of the run that it starts. */
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
