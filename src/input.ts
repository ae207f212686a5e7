import { z } from "zod";
import { type FieldFault, invalidFields } from "./errors.ts";
import { isTimeZone, knownZone } from "./local-time.ts";

/**
 * Parses a caller's JSON with `schema` and returns its output. A null member of the top-level object counts as absent.
 * Throws `validation_failed` with all faults at once, each with a JSON pointer (RFC 6901) to its field.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(input));
  if (!parsed.success) throw invalidFields(faultsOf(parsed.error));
  return parsed.data;
}

/** Returns a JSON object without its null members, and any other value unchanged. */
export function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** Converts zod's issues to field faults: one for each issue, and one for each unknown field. */
export function faultsOf(error: z.ZodError): FieldFault[] {
  return error.issues.flatMap((issue): FieldFault[] => {
    const path = issue.path.map((step) => `/${String(step)}`).join("");
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: `${path}/${key}`, message: "is not a field of this request" }));
    }
    return [{ path, message: issue.message }];
  });
}

/** The zod error option for a field that must be `type` ("a string"): "is required" if absent, else "must be TYPE". */
export function expects(type: string) {
  return { error: (issue: { input?: unknown }) => (issue.input === undefined ? "is required" : `must be ${type}`) };
}

/** Schema of an id (UUID). The output is lower case, as the database returns ids. */
export const uuid = z.uuid(expects("a UUID")).transform((value) => value.toLowerCase());

/** Schema of the name of a time zone. All spellings of a zone give the same output. */
export const timeZone = z
  .string(expects("the name of a time zone"))
  .refine(isTimeZone, "must be the name of an IANA time zone such as Europe/Berlin")
  .transform((name) => knownZone(name)!);

/** Schema of a day such as 2026-07-28, without a time zone. */
export const day = z.iso.date("must be a date such as 2026-07-28");

/** Schema of a whole number from `min` to `max`, both included. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max.toLocaleString("en")}`;
  return z.int(message).min(min, message).max(max, message);
}

/** Schema of one line of plain text: trimmed, 1 to `max` characters, without control and bidi-control characters. */
export function lineOfText(max: number) {
  return z
    .string(expects("a string"))
    .trim()
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, "must not contain control characters");
}

/**
 * Query parameter `limit` of every list: 1 to 100 entries per page, 50 by default. A parameter that is given twice
 * arrives as a list and is refused.
 */
export const pageLimit = z
  .string("must be given once")
  .regex(/^(100|[1-9]\d?)$/, "must be a whole number from 1 to 100")
  .transform(Number)
  .default(50);

const cursorMessage = "must be the nextCursor of an earlier page";

/** Query parameter `cursor` of a list whose entries have UUIDs: the id of the previous page's last entry. */
export const idCursor = z.uuid(cursorMessage).optional();

/** Query parameter `cursor` of a list whose entries have numbers (the audit log). */
export const numberCursor = z
  .string("must be given once")
  .regex(/^\d{1,15}$/, cursorMessage)
  .transform(Number)
  .optional();

/**
 * Cuts `limit + 1` found rows to a page of `limit`. `nextCursor`: `cursorOf` the last row of the page; null if there
 * are no more rows.
 */
export function cutPage<Row>(
  found: Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { page: Row[]; nextCursor: string | null } {
  const page = found.slice(0, limit);
  return { page, nextCursor: found.length > limit ? cursorOf(page.at(-1)!) : null };
}
