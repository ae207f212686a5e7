import { type Allowance, bucketOfAddress } from "./count-requests.ts";
import type { Limit } from "./limits.ts";

/**
 * The most addresses that are counted separately within a window: about 10 MB. All others share one count, which
 * bounds the memory.
 */
const maxAddresses = 100_000;

/**
 * Returns a function that counts requests by address in this process only. It is for requests that are too frequent
 * for a database write each. All addresses share one window, and the counts are dropped at its end. `requests`: how
 * many to add. 0 only reads the count.
 */
export function createMemoryLimit(
  limit: Limit,
  now: () => number = Date.now,
): (address: string, requests?: 0 | 1) => Allowance {
  let used = new Map<string, number>();
  let endsMs = 0;
  return (address, requests = 1) => {
    if (now() >= endsMs) {
      used = new Map();
      endsMs = now() + limit.windowSeconds * 1_000;
    }
    const own = bucketOfAddress(address);
    const bucket = used.has(own) || used.size < maxAddresses ? own : "others";
    const count = (used.get(bucket) ?? 0) + requests;
    if (requests > 0) used.set(bucket, count);
    return { limit, used: count, resetSeconds: Math.ceil((endsMs - now()) / 1_000) };
  };
}
