import { type FinalCode, finalCode } from "../../runs/ledger/codes.ts";

/** The meaning of a reason that one push service gives with a status. */
export type KnownRefusal = {
  pushService: "fcm" | "apple" | "mozilla" | "wns";
  /** The status with which the reason was seen. */
  status: number;
  /** The words of the reason, or their constant part. */
  reason: string;
  code: FinalCode;
  /** The evidence: a page of the push service, or a report by somebody who got this answer. */
  source: string;
};

const sources = {
  apple:
    "https://developer.apple.com/documentation/usernotifications/sending-web-push-notifications-in-web-apps-and-browsers",
  apns: "https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns",
  mozilla: "https://mozilla-services.github.io/autopush-rs/errors.html",
};

function refusalsOf(
  pushService: KnownRefusal["pushService"],
  rows: [number, string, FinalCode, string][],
): KnownRefusal[] {
  return rows.map(([status, reason, code, source]) => ({ pushService, status, reason, code, source }));
}

const { badRequest, unauthorized, forbidden, notFound, gone, payloadTooLarge, refused } = finalCode;

/**
 * The reasons that push services give, and their meaning. Delivery, the simulated push service and
 * docs/push-services.md use this table. It leaves out reasons of 408, 421, 425, 429 and 5xx, because their status is
 * enough.
 */
export const knownRefusals: KnownRefusal[] = [
  ...refusalsOf("fcm", [
    [400, "UnauthorizedRegistration", unauthorized, "https://github.com/web-push-libs/web-push/issues/237"],
    [
      401,
      "authorization header must be specified",
      unauthorized,
      "https://github.com/web-push-libs/web-push-php/issues/325",
    ],
    [403, "invalid JWT provided", unauthorized, "https://github.com/web-push-libs/web-push/issues/679"],
    [403, "MismatchSenderId", forbidden, "https://github.com/web-push-libs/webpush-java/issues/57"],
    [
      403,
      "do not correspond to the credentials used to create the subscriptions",
      forbidden,
      "https://github.com/felixvonsamson/Energetica/issues/701",
    ],
    [
      410,
      "push subscription has unsubscribed or expired",
      gone,
      "https://github.com/stephanediondev/elasticsearch-admin/issues/21",
    ],
  ]),
  ...refusalsOf("apple", [
    [400, "VapidPkHashMismatch", forbidden, sources.apple],
    [400, "BadTtl", badRequest, sources.apple],
    [400, "BadUrgency", badRequest, sources.apple],
    [400, "BadWebPushRequest", badRequest, sources.apple],
    [400, "BadWebPushTopic", badRequest, sources.apple],
    [400, "BadDeviceToken", notFound, sources.apns],
    [403, "BadAuthorizationHeader", unauthorized, sources.apple],
    [403, "BadJwtToken", unauthorized, sources.apple],
    [403, "BadVapidPublicKey", unauthorized, sources.apple],
    [403, "ExpiredJwtToken", unauthorized, sources.apple],
    [404, "BadPath", notFound, sources.apns],
    [405, "MethodNotAllowed", refused, sources.apns],
    [410, "ExpiredToken", gone, sources.apns],
    [410, "Unregistered", gone, sources.apns],
    [413, "PayloadTooLarge", payloadTooLarge, sources.apple],
  ]),
  ...refusalsOf("mozilla", [
    [400, "errno 101", badRequest, sources.mozilla],
    [400, "errno 108", badRequest, sources.mozilla],
    [400, "errno 110", badRequest, sources.mozilla],
    [400, "errno 111", badRequest, sources.mozilla],
    [400, "errno 112", badRequest, sources.mozilla],
    [400, "errno 113", badRequest, sources.mozilla],
    [401, "errno 109", unauthorized, sources.mozilla],
    [401, "errno 109, VAPID public key mismatch", forbidden, "https://github.com/felixvonsamson/Energetica/issues/701"],
    [404, "errno 102", notFound, sources.mozilla],
    [410, "errno 103", gone, sources.mozilla],
    [410, "errno 105", gone, sources.mozilla],
    [410, "errno 106", gone, sources.mozilla],
    [413, "errno 104", payloadTooLarge, sources.mozilla],
  ]),
  ...refusalsOf("wns", [
    [
      400,
      "Ttl value conflicts with X-WNS-Cache-Policy",
      badRequest,
      "https://learn.microsoft.com/answers/questions/940324",
    ],
    [
      400,
      "Zero or duplicate tokens or token signing keys",
      unauthorized,
      "https://github.com/block65/webcrypto-web-push/issues/13",
    ],
    [400, "Zero or more than 1 crypto-key", badRequest, "https://github.com/alastaircoote/webpush-webcrypto/issues/5"],
    [403, "Channel URL incompatible with caller app", forbidden, "https://github.com/tjanczuk/wns/issues/4"],
  ]),
];
