import { z } from "zod";
import { type FieldFault, invalidFields } from "./errors.ts";
import { fault, faults, messageOfIssue, zodText } from "./faults.ts";
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
      return issue.keys.map((key) => fault(`${path}/${key}`, faults.unknown_field()));
    }
    return [fault(path, messageOfIssue(issue.message))];
  });
}

/** The zod error option for a field that must be `type` ("a string"): "is required" if absent, else "must be TYPE". */
export function expects(type: string) {
  return {
    error: ({ input }: { input?: unknown }) =>
      zodText(input === undefined ? faults.required() : faults.wrong_type({ type })),
  };
}

/** Schema of a value that is true or false. */
export const flag = z.boolean(zodText(faults.wrong_type({ type: "true or false" })));

/** Schema of one of several texts. `choices`: how its fault names them, after "must be". */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  choices = `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`,
) => z.enum(values, zodText(faults.not_a_choice({ choices })));

/** Schema of one of many texts. Its fault lists them. */
export const oneOfMany = <const Values extends readonly string[]>(values: Values) =>
  oneOf(values, `one of ${values.join(", ")}`);

/** Schema of a query parameter. One that is given twice arrives as a list and is refused. */
export const givenOnce = z.string(zodText(faults.given_twice()));

/** Schema of an id (UUID). The output is lower case, as the database returns ids. */
export const uuid = z.uuid(expects("a UUID")).transform((value) => value.toLowerCase());

/** Schema of the name of a time zone. All spellings of a zone give the same output. */
export const timeZone = z
  .string(expects("the name of a time zone"))
  .refine(isTimeZone, zodText(faults.not_a_time_zone({ example: "Europe/Berlin" })))
  .transform((name) => knownZone(name)!);

/** Schema of a day such as 2026-07-28, without a time zone. */
export const day = z.iso.date(zodText(faults.not_a_date({ example: "2026-07-28" })));

/** Schema of a whole number from `min` to `max`, both included. */
export function wholeNumber(min: number, max: number) {
  const message = zodText(faults.out_of_range({ least: min, most: max }));
  return z.int(message).min(min, message).max(max, message);
}

/** Schema of one line of plain text: trimmed, 1 to `max` characters, without control and bidi-control characters. */
export function lineOfText(max: number) {
  return z
    .string(expects("a string"))
    .trim()
    .min(1, zodText(faults.empty()))
    .max(max, zodText(faults.too_long({ most: max })))
    .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, zodText(faults.control_characters()));
}

/**
 * Query parameter `limit` of every list: 1 to 100 entries per page, 50 by default. A parameter that is given twice
 * arrives as a list and is refused.
 */
export const pageLimit = givenOnce
  .regex(/^(100|[1-9]\d?)$/, zodText(faults.out_of_range({ least: 1, most: 100 })))
  .transform(Number)
  .default(50);

const notACursor = zodText(faults.not_a_cursor());

/** Query parameter `cursor` of a list whose entries have UUIDs: the id of the previous page's last entry. */
export const idCursor = z.uuid(notACursor).optional();

/** Query parameter `cursor` of a list whose entries have numbers (the audit log). */
export const numberCursor = givenOnce
  .regex(/^\d{1,15}$/, notACursor)
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
