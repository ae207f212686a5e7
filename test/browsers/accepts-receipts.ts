import { setTimeout as delay } from "node:timers/promises";

/**
 * Whether the service at `base` accepts receipts from the pages of `origin`. It looks for new origins once a second.
 * Before that it refuses them, and a worker would repeat them only with its next push, which a test may not send. After a
 * refusal it waits: an address may have 600 of them a minute, which asking all the time uses up within a few tests.
 */
export async function acceptsReceiptsFrom(base: string, origin: string): Promise<boolean> {
  const { status } = await fetch(`${base}/sdk/events`, { method: "OPTIONS", headers: { origin } });
  if (status !== 204) await delay(200);
  return status === 204;
}
