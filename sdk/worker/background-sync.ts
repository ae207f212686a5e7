import type { Scope } from "./site.ts";

/** The tag of our Background Sync, which wakes the worker when the browser is online again (Chromium only). */
export const syncTag = "pressbell";

/**
 * Requests a sync for when the browser is online again. Browsers without Background Sync retry at the next push.
 * Never throws.
 */
export async function requestSync({ registration }: Scope): Promise<void> {
  await registration.sync?.register(syncTag).catch(() => {});
}
