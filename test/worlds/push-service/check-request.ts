import type { IncomingHttpHeaders } from "node:http";
import type { VapidCheck } from "./vapid.ts";

/** The longest body taken, in bytes (RFC 8030 section 7.2: a service must take 4096). */
export const MAX_BODY_BYTES = 4096;

export type Verdict = { status: 201 } | { status: number; reason: string };

export type PushRequest = {
  method: string;
  headers: IncomingHttpHeaders;
  /** Undefined when it was longer than MAX_BODY_BYTES. */
  body: Buffer | undefined;
  /** -1 when the path names no subscription. */
  subscriptionIndex: number;
  /** Whether its browser has unsubscribed. */
  hasLeft?: boolean;
  /** The key the subscription was registered with, if any. */
  applicationServerKey: string | undefined;
};

/** What one request is answered by a push service that is well, and why when it is refused. Sizes in bytes. */
export function checkRequest(request: PushRequest, checkVapid: VapidCheck): Verdict {
  if (request.subscriptionIndex < 0) return { status: 404, reason: "no such subscription" };
  if (request.method !== "POST") return { status: 405, reason: "method is not POST" };
  const vapid = checkVapid(request.headers.authorization);
  if (!vapid.ok) return { status: 401, reason: vapid.reason };
  if (request.applicationServerKey !== undefined && request.applicationServerKey !== vapid.publicKey) {
    return { status: 403, reason: "k is not the key the subscription was registered with" };
  }
  if (request.hasLeft) return { status: 410, reason: "the browser has unsubscribed" };
  const fault = headerFault(request.headers);
  if (fault) return { status: 400, reason: fault };
  if (!request.body) return { status: 413, reason: `body is longer than ${MAX_BODY_BYTES} bytes` };
  const broken = bodyFault(request.body);
  return broken ? { status: 400, reason: broken } : { status: 201 };
}

/** RFC 8030 sections 5.2 to 5.4, RFC 8291 section 4. */
function headerFault(headers: IncomingHttpHeaders): string | undefined {
  const { ttl, topic, urgency } = headers;
  if (ttl === undefined) return "no TTL header";
  if (!/^\d{1,10}$/.test(String(ttl))) return "TTL is not a whole number of seconds";
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(String(topic))) return "Topic is not 1 to 32 base64url characters";
  if (urgency !== undefined && !/^(very-low|low|normal|high)$/.test(String(urgency))) return "Urgency is unknown";
  if (headers["content-encoding"] !== "aes128gcm") return "Content-Encoding is not aes128gcm";
  return undefined;
}

/** The header of an aes128gcm body (RFC 8188 section 2.1) as web push narrows it (RFC 8291 section 4): one record. */
function bodyFault(body: Buffer): string | undefined {
  const [idLengthAt, pointAt, recordAt] = [20, 21, 86];
  if (body.length === 0) return "body is empty";
  if (body.length <= idLengthAt) return "body ends inside the aes128gcm header";
  if (body[idLengthAt] !== 65) return "keyid is not 65 bytes long";
  if (body[pointAt] !== 4) return "keyid is not an uncompressed point";
  // A delimiter byte and a tag of 16 bytes are the shortest record.
  if (body.length < recordAt + 17) return "body ends before its record";
  const recordSize = body.readUInt32BE(16);
  if (recordSize < 18) return "record size is below 18";
  return body.length - recordAt > recordSize ? "body holds more than one record" : undefined;
}
