import ipaddr from "ipaddr.js";
import type { App } from "../app.ts";
import { AppError, appError, errorRegistry } from "../errors.ts";
import { failureLimit, type Limit } from "./limits.ts";
import { decrementBucket, incrementBucket } from "./queries.ts";

/**
 * The state of a limit after a request was counted. If `used` is above the quota, the request is refused. `bucket`:
 * the bucket in the database; absent if the request was counted in memory.
 */
export type Allowance = { limit: Limit; used: number; resetSeconds: number; bucket?: string };

/** The error for a request over its limit. `http/` writes `allowances` into the RateLimit headers of the answer. */
export class RateLimitedError extends AppError {
  readonly allowances: Allowance[];

  constructor(allowances: Allowance[], details: { limit: string; retryAfterSeconds: number }) {
    super("rate_limited", errorRegistry.rate_limited.message, details);
    this.allowances = allowances;
  }
}

/**
 * Returns the bucket of a limit for `whose` requests: an id, an address, or several of them separated by spaces. The
 * bucket is a hash under the token key, so the database stores no address, and nothing of an erased person or tenant.
 */
export function bucketOf(app: App, { name }: Pick<Limit, "name">, whose: string): string {
  return `${name}:${app.secrets.sign(Buffer.from(`rate limit ${name} ${whose}`)).toString("base64url")}`;
}

/**
 * Counts one request of `whose` as this many `requests`. The counters are in the database, so any number of processes
 * share them.
 */
export async function countRequest(app: App, limit: Limit, whose: string, requests = 1): Promise<Allowance> {
  return countInBucket(app, limit, bucketOf(app, limit, whose), requests);
}

/** Adds `requests` to the count of a request that was already counted. */
export async function countMore(app: App, { limit, bucket }: Allowance, requests: number): Promise<Allowance> {
  return countInBucket(app, limit, bucket!, requests);
}

async function countInBucket(app: App, limit: Limit, bucket: string, requests: number): Promise<Allowance> {
  const { used, resetSeconds } = await incrementBucket(app.db, bucket, limit.windowSeconds, requests);
  return { limit, used, resetSeconds, bucket };
}

/** Takes back one count of `countRequest`, for an attempt that was counted before it succeeded. */
export async function uncountRequest(app: App, limit: Limit, whose: string): Promise<void> {
  await decrementBucket(app.db, bucketOf(app, limit, whose));
}

/**
 * Counts a failed authentication, or an attempt that may fail, by address. Throws `RateLimitedError` over the limit.
 */
export async function countFailure(app: App, address: string): Promise<void> {
  refuseOverLimit([await countRequest(app, failureLimit, bucketOfAddress(address))]);
}

/**
 * Counts a call of an operation that has its own limit, as this many `calls`. Throws `rate_limited` with `message`
 * over the limit. That answer has no RateLimit headers, because they show only the limits of requests.
 */
export async function enforceLimit(app: App, limit: Limit, whose: string, message: string, calls = 1): Promise<void> {
  const allowance = await countRequest(app, limit, whose, calls);
  if (isOver(allowance)) {
    throw appError("rate_limited", { message, limit: limit.name, retryAfterSeconds: allowance.resetSeconds });
  }
}

/** Throws `RateLimitedError` with the longest wait when any of `allowances` is used up. */
export function refuseOverLimit(allowances: Allowance[]): void {
  const over = allowances.filter(isOver);
  if (over.length === 0) return;
  const retryAfterSeconds = Math.max(...over.map(({ resetSeconds }) => resetSeconds));
  throw new RateLimitedError(allowances, { limit: over[0]!.limit.name, retryAfterSeconds });
}

export function isOver(allowance: Allowance): boolean {
  return allowance.used > allowance.limit.quota;
}

/**
 * Returns under which name the requests of an IP address are counted: an IPv4 address itself, or the /64 of an IPv6
 * address, which is one household. Returns "unknown" for any other text. With TRUST_PROXY the address comes from a
 * header, which may hold any text.
 */
export function bucketOfAddress(address: string): string {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed.toByteArray().slice(0, 8).join(".")}/64`;
}
