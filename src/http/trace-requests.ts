import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** The traced routes: those of people and programs. Readers' browsers (/sdk) and probes would make too many spans. */
const traced = /^\/(v1|dashboard\/api)\//;

/**
 * Gives each request of the API and the dashboard a span, below the span of its caller (`traceparent`, W3C Trace
 * Context). The span is named after the route, so that it contains no id, address or key of a URL.
 */
export function traceRequests(server: FastifyInstance): void {
  const tracer = trace.getTracer("pressbell");
  const contexts = new WeakMap<FastifyRequest, Context>();
  server.addHook("onRequest", (request, _reply, done) => {
    const route = request.routeOptions.url;
    if (route === undefined || !traced.test(route)) return done();
    const caller = propagation.extract(ROOT_CONTEXT, request.headers);
    const attributes = {
      "http.request.method": request.method,
      "http.route": route,
      "pressbell.request_id": request.id,
    };
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller);
    contexts.set(request, trace.setSpan(caller, span));
    context.with(contexts.get(request)!, done);
  });
  // The socket events that deliver a body do not inherit the context of the first hook.
  server.addHook("preValidation", (request, _reply, done) =>
    context.with(contexts.get(request) ?? context.active(), done),
  );
  server.addHook("onResponse", async (request, reply) => {
    const inContext = contexts.get(request);
    const span = inContext && trace.getSpan(inContext);
    span?.setAttribute("http.response.status_code", reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
}
