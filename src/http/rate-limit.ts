import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import {
  type Allowance,
  bucketOfAddress,
  countRequest,
  failureLimit,
  fetchLimit,
  isOver,
} from "../rate-limits/limits.ts";
import type { Identity } from "./identity.ts";

/**
 * Says in the headers what is left (draft-ietf-httpapi-ratelimit-headers: structured fields; r requests, t seconds),
 * and throws `rate_limited` where one of the allowances is used up.
 */
export function applyAllowances(reply: FastifyReply, allowances: Allowance[]): void {
  const policy = allowances.map(({ limit }) => `"${limit.name}";q=${limit.quota};w=${limit.windowSeconds}`);
  const left = allowances.map(
    ({ limit, used, resetSeconds }) => `"${limit.name}";r=${Math.max(0, limit.quota - used)};t=${resetSeconds}`,
  );
  reply.header("ratelimit-policy", policy.join(", ")).header("ratelimit", left.join(", "));
  const over = allowances.filter(isOver);
  if (over.length === 0) return;
  const retryAfterSeconds = Math.max(...over.map(({ resetSeconds }) => resetSeconds));
  throw appError("rate_limited", { limit: over[0]!.limit.name, retryAfterSeconds });
}

/** A failed authentication, counted by address. Throws `rate_limited` where there were too many; else nothing. */
export async function countFailure(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const allowance = await countRequest(app, failureLimit, bucketOfAddress(request.ip));
  if (isOver(allowance)) applyAllowances(reply, [allowance]);
}

/** Counts a request that fetches a page, by its key or its person, beside the count that every request has. */
export async function countFetch(app: App, reply: FastifyReply, identity: Identity): Promise<void> {
  const bucket = identity.kind === "key" ? identity.actor.keyId : identity.userId;
  applyAllowances(reply, [identity.allowance, await countRequest(app, fetchLimit(app), bucket)]);
}
