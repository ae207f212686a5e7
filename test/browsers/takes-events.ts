/**
 * Whether the service at `base` takes receipts from the pages of `origin`: it looks for new origins once a second. Until
 * then it refuses them, and a worker tells them with its next push, which a test may not send.
 */
export async function takesEventsFrom(base: string, origin: string): Promise<boolean> {
  return (await fetch(`${base}/sdk/events`, { method: "OPTIONS", headers: { origin } })).status === 204;
}
