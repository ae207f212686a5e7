import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type AppError, appError } from "../errors.ts";

/** A route of the server: its methods, and the parts of its path. */
type KnownRoute = { methods: string[]; path: string[] };

declare module "fastify" {
  interface FastifyInstance {
    knownRoutes: KnownRoute[];
  }
}

/**
 * Answers requests without a route before any other check: 405 with `Allow` for a path that has other methods, or
 * else 404. Call it before routes are added, because it collects them in `knownRoutes` when they are added.
 */
export function answerUnknownRoutes(
  server: FastifyInstance,
  refuse: (error: AppError, request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  const known: KnownRoute[] = [];
  server.decorate("knownRoutes", known);
  server.addHook("onRoute", ({ method, url }) => {
    known.push({ methods: [method].flat(), path: url.split("/") });
  });
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split("?")[0]!.split("/");
    const allowed = known.filter((route) => matches(route.path, path)).flatMap((route) => route.methods);
    // A wildcard route has this method, but there is no such file.
    if (allowed.length === 0 || allowed.includes(request.method)) return refuse(appError("not_found"), request, reply);
    reply.header("allow", [...new Set(allowed)].join(", "));
    return refuse(appError("method_not_allowed"), request, reply);
  };
  server.addHook("onRequest", async (request, reply) => {
    // The handler would be too late, because Fastify reads and parses the body before it.
    if (request.is404) return answer(request, reply);
  });
  server.setNotFoundHandler(answer);
}

function matches(pattern: string[], path: string[]): boolean {
  if (pattern.at(-1) === "*")
    return path.length >= pattern.length && matches(pattern.slice(0, -1), path.slice(0, pattern.length - 1));
  return (
    pattern.length === path.length &&
    pattern.every((part, i) => (part.startsWith(":") ? path[i] !== "" : part === path[i]))
  );
}
