import { setTimeout as delay } from "node:timers/promises";

/** Asks `look` again and again until it gives something else than undefined or false. Throws after `withinMs`. */
export async function eventually<T>(
  look: () => Promise<T | undefined | false>,
  withinMs = 15_000,
  what = "what was waited for did not come",
): Promise<T> {
  for (const deadlineMs = performance.now() + withinMs; ; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadlineMs) throw new Error(`${what} within ${withinMs} ms`);
    await delay(20);
  }
}
