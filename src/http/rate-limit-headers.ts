import type { FastifyReply } from "fastify";
import { type Allowance, refuseOverLimit } from "../rate-limits/count-requests.ts";

/**
 * Writes what is left of each limit into the RateLimit headers (draft-ietf-httpapi-ratelimit-headers, structured
 * fields). `r` is a number of requests, `t` a number of seconds.
 */
export function setRateLimitHeaders(reply: FastifyReply, allowances: Allowance[]): void {
  const policy = allowances.map(({ limit }) => `"${limit.name}";q=${limit.quota};w=${limit.windowSeconds}`);
  const left = allowances.map(
    ({ limit, used, resetSeconds }) => `"${limit.name}";r=${Math.max(0, limit.quota - used)};t=${resetSeconds}`,
  );
  reply.header("ratelimit-policy", policy.join(", ")).header("ratelimit", left.join(", "));
}

/** Writes the headers. Throws `rate_limited` if one of `allowances` is used up. */
export function applyAllowances(reply: FastifyReply, allowances: Allowance[]): void {
  setRateLimitHeaders(reply, allowances);
  refuseOverLimit(allowances);
}
