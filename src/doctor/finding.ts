/**
 * What one check found. `failed`: Pressbell does not work, or loses something; `warning`: it works, but something will
 * hurt. `message`: one line that says what is so and, unless it is ok, how to fix it.
 */
export type Finding = { check: string; level: "ok" | "warning" | "failed"; message: string };

type Found = (check: string, message: string) => Finding;

export const ok: Found = (check, message) => ({ check, level: "ok", message });
export const warning: Found = (check, message) => ({ check, level: "warning", message });
export const failed: Found = (check, message) => ({ check, level: "failed", message });

/** Returns the message of an error in one line; for a host with several addresses, that of the first. */
export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { message, code } = first as { message?: string; code?: string };
  return (message || code || String(first)).replace(/\s+/g, " ");
}
