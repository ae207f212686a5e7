import { invalidFields } from "../errors.ts";

const visibleAscii = /^[!-~]{1,255}$/;

/**
 * The Idempotency-Key of a request from all its header lines, null where there is none. Throws `validation_failed`
 * for two lines, or for one that is not 1 to 255 visible ASCII characters.
 */
export function readIdempotencyKey(lines: string[]): string | null {
  const [only, ...more] = lines;
  if (only === undefined) return null;
  if (more.length > 0 || !visibleAscii.test(only)) {
    throw invalidFields([
      { path: "/headers/idempotency-key", message: "must be one header of 1 to 255 visible ASCII characters" },
    ]);
  }
  return only;
}
