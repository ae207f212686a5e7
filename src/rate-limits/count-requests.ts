import ipaddr from "ipaddr.js";
import type { App } from "../app.ts";
import { AppError, appError, errorRegistry } from "../errors.ts";
import { failureLimit, type Limit } from "./limits.ts";
import { decrementBucket, incrementBucket } from "./queries.ts";

/**
 * The state of a limit after a request was counted. `used` above the quota means that the request is refused. `bucket`:
 * where the database counts it; absent if it is counted in memory.
 */
export type Allowance = { limit: Limit; used: number; resetSeconds: number; bucket?: string };

/** A request over its limit. `http/` writes `allowances` into the RateLimit headers of the answer. */
export class RateLimitedError extends AppError {
  readonly allowances: Allowance[];

  constructor(allowances: Allowance[], details: { limit: string; retryAfterSeconds: number }) {
    super("rate_limited", errorRegistry.rate_limited.message, details);
    this.allowances = allowances;
  }
}

/**
 * The bucket in which a limit counts `whose` requests: an id, an address, or several of them with spaces between. It is a
 * hash under the token key: the database keeps no address for it, and nothing of a person or tenant that is erased.
 */
export function bucketOf(app: App, { name }: Pick<Limit, "name">, whose: string): string {
  return `${name}:${app.secrets.sign(Buffer.from(`rate limit ${name} ${whose}`)).toString("base64url")}`;
}

/**
 * Counts a request of `whose`, as so many `requests`. The counters are in the database, so any number of processes
 * share them.
 */
export async function countRequest(app: App, limit: Limit, whose: string, requests = 1): Promise<Allowance> {
  return countInBucket(app, limit, bucketOf(app, limit, whose), requests);
}

/** Counts a request that was counted once as so many more `requests`. */
export async function countMore(app: App, { limit, bucket }: Allowance, requests: number): Promise<Allowance> {
  return countInBucket(app, limit, bucket!, requests);
}

async function countInBucket(app: App, limit: Limit, bucket: string, requests: number): Promise<Allowance> {
  const { used, resetSeconds } = await incrementBucket(app.db, bucket, limit.windowSeconds, requests);
  return { limit, used, resetSeconds, bucket };
}

/** Takes back one count of `countRequest`: for an attempt that was counted first and then succeeded. */
export async function uncountRequest(app: App, limit: Limit, whose: string): Promise<void> {
  await decrementBucket(app.db, bucketOf(app, limit, whose));
}

/**
 * Counts a failed authentication, or an attempt that may be one, by address. Throws `RateLimitedError` over the limit.
 */
export async function countFailure(app: App, address: string): Promise<void> {
  refuseOverLimit([await countRequest(app, failureLimit, bucketOfAddress(address))]);
}

/**
 * Counts a call of an operation that has a limit of its own, as so many `calls`. Throws `rate_limited` with `message`,
 * whose answer has no RateLimit headers: those show the limits of requests.
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
 * Whose requests those of an IP address are: IPv4 by address, IPv6 by /64, which is one household. "unknown" for anything
 * else: with TRUST_PROXY the address comes from a header, which may hold any text.
 */
export function bucketOfAddress(address: string): string {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed.toByteArray().slice(0, 8).join(".")}/64`;
}
