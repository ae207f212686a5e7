import type { Scope } from "./site.ts";

/** Background Sync wakes the worker with this when the browser is online again (Chromium only). */
export const syncTag = "pressbell";

/** Asks to be woken when the service may be reached again. Elsewhere the next push does it. Never throws. */
export async function wakeLater({ registration }: Scope): Promise<void> {
  await registration.sync?.register(syncTag).catch(() => {});
}
