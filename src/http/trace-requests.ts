import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Readers' browsers (/sdk) and probes would make a span each: the routes of people and programs only. */
const traced = /^\/(v1|dashboard\/api)\//;

/**
 * Gives each request of the API and the dashboard a span, below that of its caller (`traceparent`, W3C Trace Context). It is
 * named after the route, so that no id, address or key of a URL is in it.
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
  // The events of the socket that deliver a body do not inherit the context of the first hook.
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
