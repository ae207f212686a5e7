import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Compares texts in constant time, whatever their lengths. */
export function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * Returns whether Ghost has signed the body: `X-Ghost-Signature: sha256=HEX, t=MS`, the HMAC of the body followed by
 * the time. The age of a signature is not limited: a replay is the same post, which is sent only once.
 */
export function isSignedByGhost(header: string | undefined, body: Buffer, secret: string): boolean {
  const [, signature, time] = /^sha256=([\da-f]{64}), ?t=(\d{1,16})$/.exec(header ?? "") ?? [];
  if (signature === undefined || time === undefined) return false;
  return isSame(signature, createHmac("sha256", secret).update(body).update(time).digest("hex"));
}
