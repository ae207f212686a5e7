import type { GuessedLayout } from "../api/subscriber-calls.ts";

/** Returns whether a file can be imported with these columns. */
export function canImport({ layout }: GuessedLayout): boolean {
  if (layout.format !== "csv") return true;
  const { subscription, endpoint, p256dh, auth, keys } = layout.columns;
  const hasKeys = keys !== undefined || (p256dh !== undefined && auth !== undefined);
  return subscription !== undefined || (endpoint !== undefined && hasKeys);
}
