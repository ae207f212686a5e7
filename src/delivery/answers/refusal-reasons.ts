import type { PushAnswer } from "../../egress/push/transport.ts";

/** Characters of a push service's own words that are logged, at most: they are untrusted text. */
const longestReason = 200;

/**
 * The refusal reason in the body of an answer, or undefined: Apple's `{"reason":"BadJwtToken"}`,
 * Mozilla's `{"errno":109,…}` as `errno 109`, and FCM's plain `UnauthorizedRegistration`.
 */
export function refusalReason(pushService: string, body: string): string | undefined {
  if (pushService === "fcm") return body.includes("UnauthorizedRegistration") ? "UnauthorizedRegistration" : undefined;
  if (pushService !== "apple" && pushService !== "mozilla") return undefined;
  const fields = fieldsOf(body);
  if (pushService === "apple") return typeof fields.reason === "string" ? fields.reason : undefined;
  return typeof fields.errno === "number" ? `errno ${fields.errno}` : undefined;
}

function fieldsOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * One line for the log that says why a message was not taken: the status with the service's own reason (WNS gives it in
 * a header, with an empty body), or what happened to the connection. Undefined for a message that was taken.
 */
export function describeAnswer(answer: PushAnswer, pushService: string): string | undefined {
  if (answer.kind !== "answered") return answer.reason;
  const { status, headers, body } = answer;
  if (status <= 202 && headers["x-wns-notificationstatus"] !== "dropped") return undefined;
  const words =
    headers["x-wns-error-description"] ?? headers["x-wns-notificationstatus"] ?? refusalReason(pushService, body);
  return words === undefined ? `status ${status}` : `status ${status}, ${words.slice(0, longestReason)}`;
}
