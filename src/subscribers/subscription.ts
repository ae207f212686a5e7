import { createHash, ECDH } from "node:crypto";
import type { FieldFault } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { isId } from "../ids.ts";
import type { Message } from "../messages.ts";
import { hasShapeOf, pushServiceOfOrigin } from "./push-service.ts";

const maxEndpointLength = 2_048;

/** The stored part of a browser's push subscription (PushSubscription.toJSON()), after validation. */
export type Subscription = {
  endpoint: string;
  /** The first 16 bytes of SHA-256 of the endpoint. */
  endpointHash: Buffer;
  /** An uncompressed point on P-256, 65 bytes. */
  p256dh: Buffer;
  /** 16 bytes. */
  auth: Buffer;
  pushService: string;
  topicIds: string[];
};

export type SubscriptionRules = { pushServices: readonly string[]; topicIds: ReadonlySet<string> };

/**
 * Validates `{ endpoint, keys: { p256dh, auth }, topics? }` as browsers and exports write it (base64url, padded or
 * not). Returns the subscription, or its first fault as a sentence.
 */
export function readSubscription(input: unknown, rules: SubscriptionRules): Subscription | { fault: Message } {
  if (typeof input !== "object" || input === null) return { fault: faults.not_an_object() };
  const read = checkSubscription(input, (input as { topics?: unknown }).topics, rules);
  if (read.subscription !== undefined) return read.subscription;
  const { path, ...first } = read.faults[0]!;
  const field = path
    .slice(1)
    .replaceAll(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".");
  return { fault: { ...first, message: `${field} ${first.message}` } };
}

/**
 * Validates the same with separate topics. Returns all faults at once, each with a JSON pointer relative to the
 * subscription.
 */
export function checkSubscription(
  input: object,
  topics: unknown,
  rules: SubscriptionRules,
): { subscription: Subscription; faults?: undefined } | { subscription?: undefined; faults: FieldFault[] } {
  const { endpoint, keys } = input as { endpoint?: unknown; keys?: unknown };
  const { p256dh, auth } = (keys ?? {}) as { p256dh?: unknown; auth?: unknown };
  const address = readEndpoint(endpoint, rules.pushServices);
  const publicKey = fromBase64(p256dh);
  const authSecret = readAuth(auth);
  const chosen = readTopics(topics, rules.topicIds);
  const wrong = [
    ...("fault" in address ? [fault("/endpoint", address.fault)] : []),
    ...(publicKey && isPointOnP256(publicKey) ? [] : [fault("/keys/p256dh", faults.not_a_p256_point())]),
    ...(authSecret === undefined ? [fault("/keys/auth", faults.not_16_bytes())] : []),
    ...chosen.faults,
  ];
  if (wrong.length > 0 || "fault" in address) return { faults: wrong };
  const { href, pushService } = address;
  const stored = {
    endpoint: href,
    endpointHash: hashEndpoint(href),
    p256dh: publicKey!,
    auth: authSecret!,
    pushService,
  };
  return { subscription: { ...stored, topicIds: chosen.ids } };
}

/**
 * Returns an endpoint as it is stored, with its push service. Drops the fragment, because each fragment would make
 * another subscriber.
 */
function readEndpoint(
  endpoint: unknown,
  pushServices: readonly string[],
): { href: string; pushService: string } | { fault: Message } {
  const href = endpointHref(endpoint);
  if (href === undefined) return { fault: faults.not_a_url() };
  if (href.length > maxEndpointLength) return { fault: faults.endpoint_too_long({ most: 2_048 }) };
  const url = new URL(href);
  const hasUser = url.username !== "" || url.password !== "";
  const pushService = hasUser ? undefined : pushServiceOfOrigin(url.origin, pushServices);
  if (pushService === undefined) return { fault: faults.unknown_push_service() };
  return hasShapeOf(pushService, url) ? { href, pushService } : { fault: faults.not_an_endpoint() };
}

/** Returns an endpoint in the spelling that is stored, or undefined if it is no URL. */
export function endpointHref(endpoint: unknown): string | undefined {
  const url = typeof endpoint === "string" ? URL.parse(endpoint) : null;
  if (url === null) return undefined;
  url.hash = "";
  return url.href;
}

/** Returns the auth secret of a subscription, 16 bytes. Returns undefined for anything else. */
export function readAuth(auth: unknown): Buffer | undefined {
  const secret = fromBase64(auth);
  return secret?.length === 16 ? secret : undefined;
}

/** Returns the unique key of an endpoint within its site: the first 16 bytes of its SHA-256. */
export function hashEndpoint(endpoint: string): Buffer {
  return createHash("sha256").update(endpoint).digest().subarray(0, 16);
}

function fromBase64(value: unknown): Buffer | undefined {
  if (typeof value !== "string" || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) return undefined;
  return Buffer.from(value, "base64url");
}

/** RFC 8291 requires this check: a point off the curve would reveal our part of the shared secret. */
function isPointOnP256(key: Buffer): boolean {
  if (key.length !== 65 || key[0] !== 4) return false;
  try {
    ECDH.convertKey(key, "prime256v1", undefined, undefined, "uncompressed");
    return true;
  } catch {
    return false;
  }
}

function readTopics(topics: unknown, known: ReadonlySet<string>): { ids: string[]; faults: FieldFault[] } {
  if (topics === undefined || topics === null) return { ids: [], faults: [] };
  if (!Array.isArray(topics)) return { ids: [], faults: [fault("/topics", faults.not_a_list())] };
  const ids = topics.map((topic) => (typeof topic === "string" && isId(topic) ? topic.toLowerCase() : ""));
  const wrong = ids.flatMap((id, i) => (known.has(id) ? [] : [fault(`/topics/${i}`, faults.unknown_topic())]));
  return { ids: [...new Set(ids)], faults: wrong };
}
