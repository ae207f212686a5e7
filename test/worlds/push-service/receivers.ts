import type { IncomingHttpHeaders } from "node:http";
import type { Subscriptions } from "./subscriptions.ts";

/** A message as the push service hands it on to a browser: the body is still encrypted. */
export type Handed = { body: Buffer; headers: IncomingHttpHeaders };

/** A browser's subscription: the browser alone has its keys. */
export type Receiver = {
  endpoint: string;
  /** The browser has unsubscribed: from now on its endpoint answers 410. */
  leave(): void;
};

export type Receivers = {
  /** A new subscription under /browser; what is accepted for it goes to `receive`. */
  join(applicationServerKey: string, receive: (message: Handed) => void): Receiver;
  hasLeft(subscriptionIndex: number): boolean;
  /** Hands a message on; false when no browser is behind this subscription. */
  handOn(subscriptionIndex: number, message: Handed): boolean;
};

/** The browsers behind some of `subscriptions`; all others are only counted. */
export function makeReceivers(subscriptions: Subscriptions): Receivers {
  const receivers = new Map<number, ((message: Handed) => void) | "left">();
  return {
    join(applicationServerKey, receive) {
      const index = subscriptions.count();
      const [made] = subscriptions.make(1, { applicationServerKey, lanePath: "/browser" });
      receivers.set(index, receive);
      return { endpoint: made!.endpoint, leave: () => void receivers.set(index, "left") };
    },
    hasLeft: (index) => receivers.get(index) === "left",
    handOn(index, message) {
      const receive = receivers.get(index);
      if (typeof receive === "function") receive(message);
      return receive !== undefined;
    },
  };
}
