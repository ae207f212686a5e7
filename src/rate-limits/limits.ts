import ipaddr from "ipaddr.js";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { countInBucket, giveBackToBucket } from "./queries.ts";

/** So many requests in a window that begins with the first of them. `name` is its name in the RateLimit headers. */
export type Limit = { name: string; quota: number; windowSeconds: number };

/** What is left of a limit after this request; `used` above the quota means that the request is refused. */
export type Allowance = { limit: Limit; used: number; resetSeconds: number };

export const keyLimit = (app: App): Limit => ({
  name: "key",
  quota: app.config.RATE_LIMIT_PER_MINUTE,
  windowSeconds: 60,
});
export const sessionLimit = (app: App): Limit => ({ ...keyLimit(app), name: "session" });
/** Requests that make the service read a stranger's page. */
export const fetchLimit = (app: App): Limit => ({
  name: "fetch",
  quota: app.config.FETCH_RATE_LIMIT_PER_MINUTE,
  windowSeconds: 60,
});
/** Wrong keys and wrong passwords from one address. */
export const failureLimit: Limit = { name: "address", quota: 20, windowSeconds: 60 };
/** Wrong passwords for one e-mail address from one address: nobody else can lock its owner out. */
export const accountLimit: Limit = { name: "account", quota: 10, windowSeconds: 15 * 60 };
/** Wrong passwords for one e-mail address from anywhere: what a thousand addresses may guess together. */
export const accountEverywhereLimit: Limit = { name: "account", quota: 100, windowSeconds: 15 * 60 };

/** Letters with a link for a new password, to one address. */
export const passwordMailLimit: Limit = { name: "password", quota: 3, windowSeconds: 60 * 60 };

/** Invitations of one address to one tenant. */
export const invitationLimit: Limit = { name: "invitation", quota: 3, windowSeconds: 60 * 60 };
/** Invitations to one tenant: each may be a letter to a stranger. */
export const invitationsLimit: Limit = { name: "invitations", quota: 50, windowSeconds: 24 * 60 * 60 };

/** What pages and workers of readers may read, from one address: behind it may be a whole company. */
export const readerReadLimit: Limit = { name: "reads", quota: 600, windowSeconds: 60 };
/** Subscribing, confirming and leaving, from one address. */
export const readerWriteLimit: Limit = { name: "writes", quota: 120, windowSeconds: 60 };

/** Counts one request of a reader. The address is not kept: its bucket is a hash under the key of tokens. */
export function countReader(app: App, limit: Limit, address: string): Promise<Allowance> {
  const hash = app.secrets.sign(Buffer.from(`reader's address ${bucketOfAddress(address)}`));
  return countRequest(app, limit, hash.toString("base64url"));
}

/** Counts one request in `bucket`: right on any number of processes, for the counters are in the database. */
export async function countRequest(app: App, limit: Limit, bucket: string): Promise<Allowance> {
  const { used, resetSeconds } = await countInBucket(app.db, `${limit.name}:${bucket}`, limit.windowSeconds);
  return { limit, used, resetSeconds };
}

/** Takes a count back: an attempt was counted before it was known to be a good one. */
export async function uncountRequest(app: App, limit: Limit, bucket: string): Promise<void> {
  await giveBackToBucket(app.db, `${limit.name}:${bucket}`);
}

export function isOver(allowance: Allowance): boolean {
  return allowance.used > allowance.limit.quota;
}

/** Counts one deed in `bucket`, for an operation with a limit of its own. Throws `rate_limited` with `message`. */
export async function enforceLimit(app: App, limit: Limit, bucket: string, message: string): Promise<void> {
  const allowance = await countRequest(app, limit, bucket);
  if (isOver(allowance)) {
    throw appError("rate_limited", { message, limit: limit.name, retryAfterSeconds: allowance.resetSeconds });
  }
}

/** The bucket of an address: a /64 of IPv6 is one household. What a proxy's header holds may be no address at all. */
export function bucketOfAddress(address: string): string {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed.toByteArray().slice(0, 8).join(".")}/64`;
}
