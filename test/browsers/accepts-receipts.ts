import { setTimeout as delay } from "node:timers/promises";

/**
 * Returns whether the service at `base` accepts receipts from the pages of `origin`. The service looks for new origins
 * once a second, and refuses receipts from an origin until it knows it. A worker would repeat a refused receipt only
 * with its next push, which a test may not send. After a refusal this function waits, because an IP address may send
 * only 600 receipts a minute.
 */
export async function acceptsReceiptsFrom(base: string, origin: string): Promise<boolean> {
  const { status } = await fetch(`${base}/sdk/events`, { method: "OPTIONS", headers: { origin } });
  if (status !== 204) await delay(200);
  return status === 204;
}
