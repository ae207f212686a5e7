/** A subscription as a browser hands it over. */
export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

export type SenderOptions = {
  subscriptions: Subscription[];
  /** Messages under way at once. */
  inFlight: number;
  /** Of the service's own delivery. */
  encryption: "auto" | "node";
};

/** Sends one message to each subscription. Throws when one is not taken with 201. */
export type Sender = { sendAll(): Promise<void> };

/** Works through `items`, `atOnce` at a time. */
export async function eachOf<T>(items: T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
