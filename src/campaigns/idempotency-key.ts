import { invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";

const visibleAscii = /^[!-~]{1,255}$/;

/**
 * Returns the Idempotency-Key of a request from all its header lines of that name; null if there is none. Throws
 * `validation_failed` for two lines, and for a key that is not 1 to 255 visible ASCII characters.
 */
export function readIdempotencyKey(lines: string[]): string | null {
  const [only, ...more] = lines;
  if (only === undefined) return null;
  if (more.length > 0 || !visibleAscii.test(only)) {
    throw invalidFields([fault("/headers/idempotency-key", faults.not_an_idempotency_key())]);
  }
  return only;
}

/** The header of an answer that repeats an earlier one. */
export const replayed = { "idempotent-replayed": "true" };
