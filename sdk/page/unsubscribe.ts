import { unregister } from "../wire.ts";
import { arrivalToken } from "./arrival.ts";
import type { PageContext } from "./context.ts";
import { withReason } from "./failure.ts";
import { findSubscription, isOurs } from "./state.ts";

/** Ends the subscription in the browser and at the service, and stores that the reader has unsubscribed. */
export async function unsubscribe(context: PageContext): Promise<void> {
  const subscription = await findSubscription(context);
  if (subscription && isOurs(context, subscription)) await end(context, subscription);
  context.memory.write({ subscription: undefined, chosen: undefined, wanted: undefined, left: true });
  context.emit("unsubscribed");
}

/**
 * Ends the subscription in the browser and at the service. One success is enough: if only the browser has ended it,
 * the push service reports it as gone at the next send.
 */
async function end({ snippet }: PageContext, subscription: PushSubscription): Promise<void> {
  const unregistered = withReason("service", unregister(snippet, subscription, arrivalToken()));
  const ended = withReason("push", subscription.unsubscribe());
  const outcomes = await Promise.allSettled([unregistered, ended]);
  if (outcomes.every(({ status }) => status === "rejected")) await unregistered;
}
