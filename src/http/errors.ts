import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../app.ts";
import { isDatabaseAway } from "../db/pool.ts";
import { AppError, appError, type ErrorCode, type ErrorKind, errorRegistry, invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { faultsOf } from "../input.ts";
import { RateLimitedError } from "../rate-limits/count-requests.ts";
import { setRateLimitHeaders } from "./rate-limit-headers.ts";

/** The HTTP status of each kind of error. No other file knows HTTP statuses. */
const statusByKind: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  payment: 402,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  timedOut: 408,
  conflict: 409,
  tooLarge: 413,
  unsupported: 415,
  expectationFailed: 417,
  misdirected: 421,
  unusable: 422,
  paused: 423,
  limited: 429,
  headersTooLarge: 431,
  bug: 500,
  unavailable: 503,
};

/** Returns the HTTP status of an error code. */
export function statusOf(code: ErrorCode): number {
  return statusByKind[errorRegistry[code].kind];
}

/**
 * Returns the error body of every answer from status 400 on: `{ code, message, requestId, errors?, … }`. A 401 has no
 * `code`: the specification's table has none for it, and its WWW-Authenticate header carries the code of RFC 6750.
 */
export function errorBody(error: AppError, requestId: string): Record<string, unknown> {
  const { code, message, details } = error;
  return { ...(code === "unauthenticated" ? {} : { code }), message, requestId, ...details };
}

/** Our codes for the errors that Fastify throws, by Fastify's codes. */
const fastifyErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "bad_request",
  FST_ERR_BAD_URL: "bad_request",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
  FST_ERR_HANDLER_TIMEOUT: "unavailable",
};

/**
 * The SQLSTATEs of a value that its column cannot store: NUL, a number or date out of range, an invalid UUID. Inputs
 * are validated before. This pattern makes an input that was not caught a 400 and not a 500.
 */
const unstorablePattern = /^(22021|22P05|22003|22008|22P02)$/;

/**
 * Maps any error to an error that may be shown. An unexpected error becomes `internal`. Its text is logged and not
 * shown.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.ZodError) return appError("validation_failed", { errors: faultsOf(error) });
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string") {
    if (code in fastifyErrors) return appError(fastifyErrors[code]!);
    if (unstorablePattern.test(code)) {
      return invalidFields([fault("", faults.not_storable())]);
    }
  }
  return appError(isDatabaseAway(error) ? "unavailable" : "internal");
}

/** Answers `request` with an error: status, headers and body. Logs an unexpected error. */
export function sendError(app: App, error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const shown = toAppError(error);
  const status = statusOf(shown.code);
  if (shown.code === "internal") {
    app.log.error({ err: error, requestId: request.id }, "a request failed");
  }
  if (shown instanceof RateLimitedError) setRateLimitHeaders(reply, shown.allowances);
  if (shown.code === "unavailable") reply.header("retry-after", "1");
  if (shown.code === "rate_limited") reply.header("retry-after", String(shown.details.retryAfterSeconds));
  // The rest of a body that is too large was not read, so the connection cannot be used again.
  if (status === 413) reply.header("connection", "close");
  return reply.header("x-request-id", request.id).code(status).send(errorBody(shown, request.id));
}
