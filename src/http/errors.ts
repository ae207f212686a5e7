import { z } from "zod";
import { isDatabaseAway } from "../db/pool.ts";
import { AppError, appError, type ErrorCode, type ErrorKind, errorRegistry, invalidFields } from "../errors.ts";
import { faultsOf } from "../input.ts";

/** The only place that knows statuses. */
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
  unusable: 422,
  held: 423,
  limited: 429,
  headersTooLarge: 431,
  bug: 500,
  unavailable: 503,
};

export function statusOf(code: ErrorCode): number {
  return statusByKind[errorRegistry[code].kind];
}

/**
 * The error body that every answer over 400 has: `{ code, message, requestId, errors?, … }`. A 401 has no `code`: the
 * specification's table says none, its WWW-Authenticate header carries RFC 6750's.
 */
export function errorBody(error: AppError, requestId: string): Record<string, unknown> {
  const { code, message, details } = error;
  return { ...(code === "unauthenticated" ? {} : { code }), message, requestId, ...details };
}

/** What Fastify refuses by itself, by its own codes. */
const fastifyErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "bad_request",
  FST_ERR_BAD_URL: "bad_request",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
  FST_ERR_HANDLER_TIMEOUT: "unavailable",
};

/**
 * A value that its column cannot hold: NUL, a number or a date out of range, what is no UUID. Inputs are judged before;
 * this is the net under it, for no input may look like a fault of ours.
 */
const unstorablePattern = /^(22021|22P05|22003|22008|22P02)$/;

/** Any error as one that may be shown. What nobody foresaw is `internal`: logged whole, shown bare. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.ZodError) return appError("validation_failed", { errors: faultsOf(error) });
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string") {
    if (code in fastifyErrors) return appError(fastifyErrors[code]!);
    if (unstorablePattern.test(code)) {
      return invalidFields([{ path: "", message: "holds a value that cannot be stored" }]);
    }
  }
  return appError(isDatabaseAway(error) ? "unavailable" : "internal");
}

/** What may be logged of an error: a database's `detail` holds whole rows, so endpoints and keys too. */
export function loggableError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown };
  return { message: error.message, stack: error.stack, code, table, constraint };
}
