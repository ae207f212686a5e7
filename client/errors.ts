import type { SentenceParam } from "./sentence.ts";

/** The codes of the API's errors. docs/errors.md says what to do about each. */
export type ErrorCode =
  | "validation_failed"
  | "malformed_json"
  | "bad_request"
  | "url_not_allowed"
  | "unauthenticated"
  | "sign_in_failed"
  | "billing"
  | "dpa_required"
  | "tenant_mismatch"
  | "owner_session_required"
  | "forbidden"
  | "reauthentication_required"
  | "second_factor_required"
  | "provider_required"
  | "csrf_failed"
  | "scope_missing"
  | "browser_forbidden"
  | "setup_token_required"
  | "origin_not_allowed"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "illegal_transition"
  | "already_set_up"
  | "last_owner"
  | "provider_decides"
  | "no_passkeys"
  | "second_factor_on"
  | "other_tenants"
  | "no_mail"
  | "confirmation_required"
  | "nobody_else"
  | "class_not_allowed"
  | "class_limit"
  | "own_request"
  | "request_over"
  | "key_limit"
  | "feed_limit"
  | "recurring_send_limit"
  | "member_limit"
  | "passkey_limit"
  | "device_limit"
  | "follow_limit"
  | "follows_awaited"
  | "segment_limit"
  | "site_limit"
  | "topic_limit"
  | "segment_awaited"
  | "segment_of_feed"
  | "readers_forgotten"
  | "no_test_subscribers"
  | "site_moved"
  | "site_removed"
  | "has_subscribers"
  | "subscription_conflict"
  | "payload_too_large"
  | "headers_too_large"
  | "expectation_failed"
  | "unsupported_media_type"
  | "wrong_host"
  | "fetch_failed"
  | "idempotency_key_reused"
  | "send_paused"
  | "rate_limited"
  | "internal"
  | "unavailable";

/**
 * A fault of one field. `path`: a JSON pointer (RFC 6901). `code`: what is wrong; its meaning never changes. `params`:
 * what the fault names, such as `most`. `message`: the same in English.
 */
export type FieldFault = { path: string; code: string; message: string; params: Record<string, SentenceParam> };

type ErrorBody = { code?: string; message?: string; requestId?: string; errors?: FieldFault[] } & Record<
  string,
  unknown
>;

/** A refusal: the service, or a proxy before it, answered with an error. */
export class PressbellError extends Error {
  /**
   * A code of docs/errors.md, or `unexpected_answer` for an answer that is not an error of the API, such as a
   * proxy's.
   */
  readonly code: ErrorCode | "unexpected_answer";
  /** The HTTP status. */
  readonly status: number;
  /** The id under which the service has logged the request. Null if the answer has no id. */
  readonly requestId: string | null;
  /** All wrong fields. Only for `validation_failed` and `url_not_allowed`. */
  readonly faults: FieldFault[];
  /** Further members of the answer, such as `scope`, `from` or `allowed`. */
  readonly details: Record<string, unknown>;
  /** How long the service asks to wait before the next request. Null if it does not ask for a wait. */
  readonly retryAfterMs: number | null;

  /** `answer`: the response, whose body was already read as `text`. */
  constructor(answer: Response, text: string) {
    const { code, message, requestId, errors, ...details } = readErrorBody(text);
    super(
      message ?? `The answer was no answer of Pressbell's API (status ${answer.status}). Check the service's address.`,
    );
    this.name = "PressbellError";
    const known = code ?? (answer.status === 401 && message !== undefined ? "unauthenticated" : "unexpected_answer");
    this.code = known as ErrorCode | "unexpected_answer";
    this.status = answer.status;
    this.requestId = requestId ?? answer.headers.get("x-request-id");
    this.faults = errors ?? [];
    this.details = details;
    this.retryAfterMs = readRetryAfter(answer.headers.get("retry-after"));
  }
}

/**
 * No answer came: the service could not be reached, the connection broke, or the time limit was reached. `cause` has
 * the reason. The service may or may not have taken the request.
 */
export class ConnectionError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "ConnectionError";
  }
}

function readErrorBody(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && "message" in body ? (body as ErrorBody) : {};
  } catch {
    return {};
  }
}

/**
 * Returns the wait in milliseconds that a Retry-After (RFC 9110, 10.2.3) asks for, or null for none. The header has
 * seconds or a date.
 */
function readRetryAfter(value: string | null): number | null {
  if (value === null || value.trim() === "") return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
