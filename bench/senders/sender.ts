import type { Config } from "../../src/config.ts";

/** A subscription in the JSON of a browser (PushSubscription.toJSON). */
export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

export type SenderOptions = {
  subscriptions: Subscription[];
  /** The most messages in flight at once. */
  inFlight: number;
  /** Only for the sender `delivery`: ENCRYPTION. */
  encryption: Config["ENCRYPTION"];
};

/** A sender. `sendAll` sends one message to each subscription, and throws if one is not answered with 201. */
export type Sender = { sendAll(): Promise<void> };

/** Calls `work` for each of `items`, at most `atOnce` at the same time. */
export async function eachOf<T>(items: T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
