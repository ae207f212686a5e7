import { appError, invalidFields } from "../errors.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });
const maxDepth = 32;

/**
 * The JSON in `bytes`, undefined for an empty body. Throws `malformed_json` for what is not JSON in UTF-8, and
 * `validation_failed` for text that no database column takes: NUL and lone surrogates.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw appError("malformed_json");
  }
  refuseUnstorableText(value, "", 0);
  return value;
}

function refuseUnstorableText(value: unknown, path: string, depth: number): void {
  if (depth > maxDepth) throw invalidFields([{ path, message: "is nested too deeply" }]);
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
    throw invalidFields([{ path, message: "must not contain NUL or half a surrogate pair" }]);
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    refuseUnstorableText(key, path, depth + 1);
    refuseUnstorableText(member, `${path}/${key}`, depth + 1);
  }
}
