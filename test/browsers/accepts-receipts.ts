/**
 * Whether the service at `base` accepts receipts from the pages of `origin`. It looks for new origins once a second.
 * Before that it refuses them, and a worker would repeat them only with its next push, which a test may not send.
 */
export async function acceptsReceiptsFrom(base: string, origin: string): Promise<boolean> {
  return (await fetch(`${base}/sdk/events`, { method: "OPTIONS", headers: { origin } })).status === 204;
}
