/**
 * The result of one check. `failed`: Pressbell does not work, or loses data. `warning`: Pressbell works, but the fault
 * will cause problems. `message`: one line with the fact and, unless it is ok, how to fix it.
 */
export type Finding = { check: string; level: "ok" | "warning" | "failed"; message: string };

type Found = (check: string, message: string) => Finding;

export const ok: Found = (check, message) => ({ check, level: "ok", message });
export const warning: Found = (check, message) => ({ check, level: "warning", message });
export const failed: Found = (check, message) => ({ check, level: "failed", message });

/**
 * Returns the message of an error in one line. For a host with several addresses, it is the message of the first
 * address.
 */
export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { message, code } = first as { message?: string; code?: string };
  return (message || code || String(first)).replace(/\s+/g, " ");
}
