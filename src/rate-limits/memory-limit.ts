import { type Allowance, bucketOfAddress, type Limit } from "./limits.ts";

/** What comes in a flood, of every reader at once after a send: too often to ask the database each time. */
export const beaconLimit: Limit = { name: "beacons", quota: 6_000, windowSeconds: 60 };

/** Addresses that are told apart within a window: some 10 MB. Those beyond share one count. */
const addressesAtMost = 100_000;

/** Counts requests by address in this process alone. All windows end together, and nothing is kept of them. */
export function createMemoryLimit(limit: Limit, now: () => number = Date.now): (address: string) => Allowance {
  let used = new Map<string, number>();
  let endsMs = 0;
  return (address) => {
    if (now() >= endsMs) {
      used = new Map();
      endsMs = now() + limit.windowSeconds * 1_000;
    }
    const own = bucketOfAddress(address);
    const bucket = used.has(own) || used.size < addressesAtMost ? own : "others";
    const count = (used.get(bucket) ?? 0) + 1;
    used.set(bucket, count);
    return { limit, used: count, resetSeconds: Math.ceil((endsMs - now()) / 1_000) };
  };
}
