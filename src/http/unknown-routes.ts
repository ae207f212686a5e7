import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type AppError, appError } from "../errors.ts";

type Known = { methods: string[]; path: string[] };

/**
 * Answers what no route takes before anything else is looked at: a path that exists with another method is 405 with
 * `Allow`, anything else is 404. To be called before the routes are added, for it learns them as they come.
 */
export function answerUnknownRoutes(
  server: FastifyInstance,
  refuse: (error: AppError, request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  const known: Known[] = [];
  server.addHook("onRoute", ({ method, url }) => {
    known.push({ methods: [method].flat(), path: url.split("/") });
  });
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split("?")[0]!.split("/");
    const allowed = known.filter((route) => matches(route.path, path)).flatMap((route) => route.methods);
    // A route that takes this method and did not answer has no such file.
    if (allowed.length === 0 || allowed.includes(request.method)) return refuse(appError("not_found"), request, reply);
    reply.header("allow", [...new Set(allowed)].join(", "));
    return refuse(appError("method_not_allowed"), request, reply);
  };
  server.addHook("onRequest", async (request, reply) => {
    // In the handler it would be too late: Fastify reads and judges the body before.
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
