import { decrypt } from "http_ece";
import type { Subscriptions } from "./subscriptions.ts";

/** Which accepted bodies are kept: all, none, or so many for each subscription. */
export type KeepBodies = "all" | "none" | number;

export type Bodies = {
  offer(subscriptionIndex: number, body: Buffer): void;
  /** JSON payloads accepted for one subscription, oldest first. Throws when one does not decrypt. */
  decryptOf(subscriptionIndex: number): unknown[];
  /** The first `count` kept, decrypted. */
  sample(count: number): { endpoint: string; payload: unknown }[];
};

const FIRST = 100;

/**
 * The bodies kept, the first 100 unless told otherwise. They are decrypted with http_ece,
 * which shares no code with the sender under test.
 */
export function makeBodies(subscriptions: Subscriptions, keep: KeepBodies | undefined): Bodies {
  const kept = new Map<number, Buffer[]>();
  let total = 0;
  const wanted = (ofThis: number): boolean => {
    if (keep === undefined) return total < FIRST;
    return keep === "all" || (keep !== "none" && ofThis < keep);
  };
  const open = (index: number): unknown[] => {
    const { keyPair, auth } = subscriptions.secretsOf(index);
    const params = { version: "aes128gcm", privateKey: keyPair, authSecret: auth } as const;
    return (kept.get(index) ?? []).map((body) => JSON.parse(decrypt(body, params).toString()));
  };
  return {
    offer(index, body) {
      const ofThis = kept.get(index);
      if (!wanted(ofThis?.length ?? 0)) return;
      total++;
      // A copy: the chunk is a window on a larger buffer of the socket.
      if (ofThis) ofThis.push(Buffer.from(body));
      else kept.set(index, [Buffer.from(body)]);
    },
    decryptOf: open,
    sample(count) {
      const taken: { endpoint: string; payload: unknown }[] = [];
      for (const index of kept.keys()) {
        for (const payload of open(index)) {
          if (taken.length === count) return taken;
          taken.push({ endpoint: subscriptions.endpointOf(index), payload });
        }
      }
      return taken;
    },
  };
}
