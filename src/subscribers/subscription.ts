import { createHash, ECDH } from "node:crypto";
import { isId } from "../ids.ts";
import { laneOfOrigin } from "./push-service.ts";

const maxEndpointLength = 2_048;

/** A browser's push subscription (PushSubscription.toJSON()) that was checked: what is stored of it. */
export type Subscription = {
  endpoint: string;
  /** The first 16 bytes of SHA-256 of the endpoint. */
  endpointHash: Buffer;
  /** An uncompressed point on P-256, 65 bytes. */
  p256dh: Buffer;
  /** 16 bytes. */
  auth: Buffer;
  lane: string;
  topicIds: string[];
};

export type SubscriptionRules = { pushServices: readonly string[]; topicIds: ReadonlySet<string> };

/**
 * Checks `{ endpoint, keys: { p256dh, auth }, topics? }`, as a browser or an export gives it (base64url, padded or
 * not). Returns the subscription, or in `fault` one sentence that says what is wrong with it.
 */
export function readSubscription(input: unknown, rules: SubscriptionRules): Subscription | { fault: string } {
  if (typeof input !== "object" || input === null) return { fault: "is not a JSON object" };
  const { endpoint, keys, topics } = input as { endpoint?: unknown; keys?: unknown; topics?: unknown };
  if (typeof endpoint !== "string" || !URL.canParse(endpoint)) return { fault: "endpoint is not a URL" };
  const url = new URL(endpoint);
  // A fragment is never sent: with it one endpoint could be subscribed many times over.
  url.hash = "";
  if (url.href.length > maxEndpointLength) return { fault: "endpoint is longer than 2,048 characters" };
  const lane = url.username === "" && url.password === "" ? laneOfOrigin(url.origin, rules.pushServices) : undefined;
  if (lane === undefined) return { fault: "endpoint is not of a known push service (see PUSH_SERVICES)" };
  const { p256dh, auth } = (keys ?? {}) as { p256dh?: unknown; auth?: unknown };
  const publicKey = fromBase64(p256dh);
  if (publicKey === undefined || !isPointOnP256(publicKey)) return { fault: "keys.p256dh is not a point on P-256" };
  const authSecret = fromBase64(auth);
  if (authSecret?.length !== 16) return { fault: "keys.auth is not 16 bytes" };
  const topicIds = readTopics(topics, rules.topicIds);
  if ("fault" in topicIds) return topicIds;
  return {
    endpoint: url.href,
    endpointHash: hashEndpoint(url.href),
    p256dh: publicKey,
    auth: authSecret,
    lane,
    topicIds: topicIds.ids,
  };
}

/** The unique key of an endpoint within its site: the first 16 bytes of its SHA-256. */
export function hashEndpoint(endpoint: string): Buffer {
  return createHash("sha256").update(endpoint).digest().subarray(0, 16);
}

function fromBase64(value: unknown): Buffer | undefined {
  if (typeof value !== "string" || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) return undefined;
  return Buffer.from(value, "base64url");
}

/** RFC 8291 asks for this check: a point off the curve would give away our part of the secret. */
function isPointOnP256(key: Buffer): boolean {
  if (key.length !== 65 || key[0] !== 4) return false;
  try {
    ECDH.convertKey(key, "prime256v1", undefined, undefined, "uncompressed");
    return true;
  } catch {
    return false;
  }
}

function readTopics(topics: unknown, known: ReadonlySet<string>): { ids: string[] } | { fault: string } {
  if (topics === undefined || topics === null) return { ids: [] };
  if (!Array.isArray(topics)) return { fault: "topics is not a list" };
  const ids = topics.map((topic) => (typeof topic === "string" && isId(topic) ? topic.toLowerCase() : ""));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown >= 0) return { fault: `topics[${unknown}] is no topic of this site` };
  return { ids: [...new Set(ids)] };
}
