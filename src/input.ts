import type { z } from "zod";
import { type FieldFault, invalidFields } from "./errors.ts";

/**
 * The value that `schema` makes of a caller's JSON. null for an optional field is the same as absent. Throws
 * `validation_failed` with all faults at once, each with a JSON pointer to its field.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(input));
  if (!parsed.success) throw invalidFields(faultsOf(parsed.error));
  return parsed.data;
}

/** A caller's JSON object without its members that are null; anything else as it is. */
export function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** The faults that a schema found. */
export function faultsOf(error: z.ZodError): FieldFault[] {
  return error.issues.flatMap((issue): FieldFault[] => {
    const path = issue.path.map((step) => `/${String(step)}`).join("");
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: `${path}/${key}`, message: "is not a field of this request" }));
    }
    return [{ path, message: issue.message }];
  });
}

/** What to say of a value that is missing, or of another type than `type` ("a string"). */
export function expects(type: string) {
  return { error: (issue: { input?: unknown }) => (issue.input === undefined ? "is required" : `must be ${type}`) };
}
